import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyAddress, isAddressAllowed, refuseUrl } from './address-guard.ts';
import { parseUrl } from './parse-url.ts';

/** Every way of writing an address that must not be reached from a store's address. */
const REFUSED_URLS = [
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://127.0.1/',
  'https://127.255.255.254/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://0/',
  'https://0.0.0.0/',
  'https://0x0/',
  'https://0.1.2.3/',
  'https://10.0.0.1/',
  'https://10.255.255.255/',
  'https://167772161/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://3232235521/',
  'https://192.168.1/',
  'https://100.64.0.1/',
  'https://100.127.255.255/',
  'https://100.100.100.200/',
  'https://169.254.169.254/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://0xA9.0xFE.0xA9.0xFE/',
  'https://0251.0376.0251.0376/',
  'https://168.63.129.16/',
  'https://192.0.0.1/',
  'https://192.0.2.1/',
  'https://192.88.99.1/',
  'https://198.18.0.1/',
  'https://198.51.100.7/',
  'https://203.0.113.9/',
  'https://224.0.0.1/',
  'https://239.255.255.250/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[::7f00:1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:a00:1::1]/',
  'https://[2001::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[fc00::1]/',
  'https://[fd12:3456:789a::1]/',
  'https://[fe80::1]/',
  'https://[febf::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[4000::1]/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://shop.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://router.home.arpa/',
  'https://user@shop.example/',
  'https://user:pass@shop.example/',
  'https://shop.example@127.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'http://shop.example/',
  'http://8.8.8.8/',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:alert(1)',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[0:0:0:0:0:ffff:127.0.0.1]/',
  'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[2002:c0a8:101::1]/',
  'https://[2002:a9fe:a9fe::]/',
  'https://[::ffff:0:a00:1]/',
  'https://[fe80::a9fe:a9fe]/',
  'https://[::ffff:100.64.0.1]/',
  'https://127.0.0.1:443/',
  'https://127.0.0.1:8080/api/health',
  'https://0x7F.0X0.0x0.0x1/',
  'https://127.0.0.1%2f@/',
  'https://0000177.0.0.01/',
  'https://127.00.00.01/',
  'https://0300.0250.0.1/',
  'https://0xc0a80001/',
  'https://0254.020.0.1/',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://localhost%2e/',
  'https://ｌｏｃａｌｈｏｓｔ/',
  'https://LocalHost:8443/',
  'https://a.b.internal/',
  'https://metadata.google.internal./computeMetadata/v1/',
  'https:\\\\127.0.0.1\\',
  'https:127.0.0.1',
  'https:///127.0.0.1/',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'ws://127.0.0.1/',
  'blob:https://127.0.0.1/x',
];

test('more than a hundred ways around are tried', () => assert.ok(new Set(REFUSED_URLS).size >= 110));

for (const text of REFUSED_URLS) {
  test(`public: ${text} is refused`, () => {
    const url = parseUrl(text);
    if (url !== null) assert.notEqual(refuseUrl(url, 'public'), null);
  });
}

for (const text of [
  'https://shop.example/',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'https://shop.example:8443/x',
]) {
  test(`public: ${text} may be called`, () => assert.equal(refuseUrl(new URL(text), 'public'), null));
}

test('addresses are classed, IPv4 inside IPv6 included', () => {
  const expected: Record<string, string | null> = {
    '8.8.8.8': 'public',
    '100.63.255.255': 'public',
    '172.32.0.1': 'public',
    '2606:4700::1111': 'public',
    '2002:808:808::1': 'public',
    '64:ff9b::808:808': 'public',
    '127.9.9.9': 'loopback',
    '::1': 'loopback',
    '::ffff:127.0.0.1': 'loopback',
    '192.168.3.4': 'local',
    'fd00::1': 'local',
    '::ffff:192.168.3.4': 'local',
    'fe80::1%eth0': 'reserved',
    '169.254.1.1': 'reserved',
    '[::1]': 'loopback',
    'shop.example': null,
    '': null,
  };
  for (const [address, kind] of Object.entries(expected)) assert.equal(classifyAddress(address), kind, address);
});

test('local: private networks over https, loopback also without, metadata never', () => {
  assert.equal(isAddressAllowed('192.168.0.9', 'local', false), true);
  assert.equal(isAddressAllowed('192.168.0.9', 'local', true), false);
  assert.equal(isAddressAllowed('127.0.0.1', 'local', true), true);
  assert.equal(isAddressAllowed('8.8.8.8', 'local', true), false);
  assert.equal(isAddressAllowed('169.254.169.254', 'local', false), false);
  assert.equal(isAddressAllowed('169.254.169.254', 'trusted', true), true);
});
