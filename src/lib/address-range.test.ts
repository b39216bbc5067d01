import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInRanges, parseAddressRanges } from './address-range.ts';

test('an address lies in a range by its bits, IPv4 inside IPv6 included', () => {
  const cases: [string, string, boolean][] = [
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.0.0.0', '10.0.0.0/8', false],
    ['10.0.0.5', '10.0.0.5', true],
    ['10.0.0.6', '10.0.0.5', false],
    ['10.0.0.7', '10.0.0.6/31', true],
    ['1.2.3.4', '0.0.0.0/0', true],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['::ffff:0a01:0203', '10.0.0.0/8', true],
    ['fd00::1', 'fd00::/8', true],
    ['fe80::1%eth0', 'fe80::/10', true],
    ['2001:db8::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['10.1.2.3', '::/0', false],
    ['', '0.0.0.0/0', false],
    ['not an address', '0.0.0.0/0', false],
  ];
  for (const [address, range, isIn] of cases)
    assert.equal(isInRanges(address, [range]), isIn, `${address} in ${range}`);
});

test('lists are read with commas or spaces, and one bad part spoils the list', () => {
  assert.deepEqual(parseAddressRanges(' 127.0.0.1, 10.0.0.0/8  ::1'), ['127.0.0.1', '10.0.0.0/8', '::1']);
  for (const bad of [
    '',
    ' ',
    '10.0.0.0/33',
    '::/129',
    '10.0.0',
    '010.0.0.1',
    '1.2.3.256',
    'host',
    '10.0.0.0/8/8',
    '1::2::3',
    ':::',
    '10.0.0.1, x',
    '1:2:3:4:5:6:7:8:9',
    '/8',
  ]) {
    assert.equal(parseAddressRanges(bad), null, bad);
  }
});
