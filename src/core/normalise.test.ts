import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeEntities, normaliseHtml, normaliseText, tagKey } from './normalise.ts';

const pieces = [
  ...[
    '&amp;',
    '&',
    'amp;',
    '&#38;',
    '&#x26;',
    '&lt;',
    '&quot;',
    '<',
    '>',
    '"',
    "'",
    '=',
    '/',
    '!',
    '--',
    ' ',
    '\n',
    '\u00a0',
  ],
  ...[
    '<p>',
    '</p>',
    '<P class=',
    '<script>',
    '</script',
    '<style',
    '<!--',
    '-->',
    'onclick="x"',
    '“',
    '’',
    '…',
    '—',
    'É',
    'e\u0301',
  ],
  ...['\u037e', '\u212a', 'ﬁ', 'İ', 'ß', '☕', '👩‍🍳', '\u0000', '\ud800'],
];
const messy = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4, unit: 'binary' })), { maxLength: 9 })
  .map((parts) => parts.join(''));

for (const [name, normalise] of Object.entries({ normaliseText, normaliseHtml, tagKey })) {
  test(`[R14] ${name} is idempotent, whatever it is given`, () => {
    fc.assert(
      fc.property(messy, (text) => {
        const once = normalise(text);
        assert.equal(normalise(once), once);
      }),
      { numRuns: 3000 },
    );
  });
}

test('[B8] emoji, right-to-left text and characters outside the basic plane come through as they are', () => {
  for (const text of ['Mug ☕', '👩‍🍳 apron', 'كوب', '杯子 𠮷', 'a\u200db']) {
    assert.equal(normaliseText(text), text);
    assert.equal(normaliseHtml(`<p>${text}</p><hr>`), `<p>${text}</p><hr>`);
  }
});

test('[R14] long and hostile text is normalised in a moment', () => {
  const hostile = [
    '<'.repeat(20_000),
    '<a "'.repeat(10_000),
    '<a\'"'.repeat(10_000),
    '<script>'.repeat(5_000),
    '<!--'.repeat(10_000),
    '&amp;'.repeat(20_000),
    `&${'amp;'.repeat(5_000)}`,
    `<p ${'a=b '.repeat(10_000)}>`,
    ' '.repeat(100_000),
  ];
  for (const text of hostile) {
    const startedAt = performance.now();
    normaliseHtml(text);
    normaliseText(text);
    assert.ok(performance.now() - startedAt < 2_000, `${text.slice(0, 12)}… took ${performance.now() - startedAt} ms`);
  }
});

test('entities: named, decimal and hexadecimal; unknown and impossible ones stay', () => {
  assert.equal(decodeEntities('&amp;&#8217;&#x2019;&euro;'), '&’’€');
  for (const text of ['&nosuch;', '&#0;', '&#55296;', '&#1114112;', '&amp', '&;'])
    assert.equal(decodeEntities(text), text);
});
