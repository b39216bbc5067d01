import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactFields, redactText } from './redact.ts';

const HEX40 = 'a1b2c3d4e5'.repeat(4);
const SECRETS = [
  `shpat_${'a1'.repeat(16)}`,
  `shpss_${'0f'.repeat(16)}`,
  `ck_${HEX40}`,
  `cs_${HEX40}`,
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl',
  'mock_eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl',
  `rt_${'Ab-1'.repeat(10)}`,
  `whsec_${'aB1+/'.repeat(8)}=`,
];

test('tokens, keys, headers and addresses of people vanish from texts', () => {
  for (const secret of SECRETS) {
    for (const text of [`got ${secret}`, `https://x.test/a?t=${secret}&b=1`, JSON.stringify({ a: secret })]) {
      assert.ok(!redactText(text).includes(secret), text);
    }
  }
  assert.equal(redactText('Authorization: Basic Y2tfMTpjc18y'), 'Authorization: Basic [redacted]');
  assert.equal(redactText('https://ann:pw1@x.test/p'), 'https://[redacted]@x.test/p');
  assert.equal(redactText('GET /x?consumer_secret=abc&page=2'), 'GET /x?consumer_secret=[redacted]&page=2');
  assert.equal(redactText("mail to ann.o'neil+x@shop.example failed"), 'mail to [email]@shop.example failed');
});

test('addresses of people vanish in every script, and whatever stands in them', () => {
  for (const [name, domain] of [
    ['用户', 'example.com'],
    ['müller', 'example.com'],
    ['anna', 'bücher.example'],
    ['anna', 'xn--bcher-kva.example'],
    ['иван.петров', 'почта.рф'],
    ['anna', 'a.xn--p1ai'],
    ['उपयोगकर्ता', 'उदाहरण.भारत'],
    ['e\u0301milie', 'cafe\u0301.example'],
    ['tom&jerry', 'example.com'],
    ['a!#$&*^`{|}~b', 'example.com'],
    ['😀', 'example.com'],
    ['n'.repeat(100), 'example.com'],
  ] as const) {
    for (const [before, after] of [
      ['', ''],
      ['550 <', '>: no such mailbox'],
      ['?a=1&to=', '&b=2'],
      ['"', '", '],
    ]) {
      assert.equal(redactText(`${before}${name}@${domain}${after}`), `${before}[email]@${domain}${after}`);
    }
  }
  assert.equal(redactText('ann@a.example,bob@b.example'), '[email]@a.example,[email]@b.example');
  assert.equal(redactText(redactText('ann@a.example')), '[email]@a.example');
});

test('no text takes long, whatever it is made of', () => {
  const texts = [
    'a',
    'ä',
    '@',
    'a@',
    'a@b',
    'a.',
    'a@b.',
    '.a@',
    '&',
    'a@b.c ',
    '@b.cc',
    '[email]@b.',
    '\u0301',
    '=a',
    'token',
  ];
  const begun = process.cpuUsage();
  for (const text of texts) {
    for (const start of ['', 'a@', '@b.', '//a:']) redactText(`${start}${text.repeat(4_000 / text.length)}`);
  }
  const { user } = process.cpuUsage(begun);
  assert.ok(user < 500_000, `${texts.length * 4} texts took ${user} µs`);
});

test('ordinary texts stay as they are', () => {
  for (const text of [
    'sync_product:prd_01h: 3 of 10',
    'https://x.test/wp-json/wc/v3/products?page=2',
    'café @ 10:30',
    'at Object.<anonymous> (/app/node_modules/@fastify/static/index.js:1:2)',
    'npm:@types/node@24.1.0, express@5.1 and näher@localhost',
    'https://x.test/@maker/größe.html',
    '',
  ]) {
    assert.equal(redactText(text), text);
  }
});

test('fields with a telling name are hidden, others are searched in depth', () => {
  const redacted = redactFields({
    consumerSecret: 'x',
    headers: { 'x-shopify-access-token': 'x', accept: 'json', cookie: ['a=1'] },
    hasToken: true,
    tokenCount: null,
    key: 'sync:1',
    people: ['ann@shop.example'],
    count: 3,
    big: 10n,
    body: Buffer.from('secret'),
    deep: { a: { b: { c: { d: { e: 1 } } } } },
  });
  assert.deepEqual(redacted, {
    consumerSecret: '[redacted]',
    headers: { 'x-shopify-access-token': '[redacted]', accept: 'json', cookie: '[redacted]' },
    hasToken: true,
    tokenCount: null,
    key: 'sync:1',
    people: ['[email]@shop.example'],
    count: 3,
    big: '10',
    body: '[6 bytes]',
    deep: { a: { b: { c: { d: '[deep]' } } } },
  });
});

test('errors keep name, message, stack and cause, without what they leaked', () => {
  const error = new TypeError('bad shpat_0123456789abcdef', { cause: new Error('for ann@shop.example') });
  const text = JSON.stringify(redactFields({ error }));
  assert.match(text, /TypeError/);
  assert.match(text, /redact\.test/);
  assert.ok(!text.includes('shpat_0') && !text.includes('ann@'));
});

test('a huge or circular field does not take the log down', () => {
  const loop: Record<string, unknown> = { long: 'x'.repeat(100_000) };
  loop['self'] = loop;
  const text = JSON.stringify(redactFields({ loop, list: Array.from({ length: 1000 }, (_, i) => i) }));
  assert.ok(text.length < 30_000);
});
