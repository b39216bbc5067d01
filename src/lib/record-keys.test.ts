import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gtinKey, gtinSpellings, isValidGtin, plainBarcode, skuKey } from './record-keys.ts';

test('[M1] SKUs are compared without letter case, the spaces around them and doubled ones within', () => {
  assert.equal(skuKey(' Mug-BLUE '), skuKey('mug-blue'));
  assert.equal(skuKey('MUG  BLUE'), skuKey('Mug\tblue'));
  assert.notEqual(skuKey('MUG BLUE'), skuKey('MUGBLUE'));
  assert.equal(skuKey(' '), '');
});

test('[M1] a UPC-12, the EAN-13 with a zero before it and the GTIN-14 are one number; what is no GTIN is none', () => {
  const spellings = ['036000291452', '0036000291452', '00036000291452'];
  for (const code of spellings) assert.equal(gtinKey(code), '00036000291452');
  assert.deepEqual(new Set(gtinSpellings('00036000291452')), new Set(spellings));
  assert.deepEqual(gtinSpellings('00000096385074').at(-1), '96385074');
  assert.deepEqual(gtinSpellings('10036000291459'), ['10036000291459']);
  assert.equal(gtinKey('036000291453'), null);
});

test('[M1] the hyphens and spaces between the digits of a GTIN say nothing; between other digits they do', () => {
  for (const isbn of ['978-3-16-148410-0', '978 3 16 148410 0', ' 9783161484100 ']) {
    assert.equal(gtinKey(isbn), '09783161484100', isbn);
    assert.equal(plainBarcode(isbn), '9783161484100', isbn);
  }
  for (const other of ['978--3161484100', '-9783161484100', '978-3-16-148410-1', '978.3161484100', '12-34'])
    assert.deepEqual([gtinKey(other), plainBarcode(other)], [null, other]);
});

test('[M1] laws: each spelling of a GTIN is valid and has the same key', () => {
  const bodies = fc.constantFrom(7, 11, 12, 13).chain((n) => fc.array(fc.nat(9), { minLength: n, maxLength: n }));
  fc.assert(
    fc.property(bodies, (body) => {
      const code = Array.from({ length: 10 }, (_, digit) => [...body, digit].join('')).find(isValidGtin) ?? '';
      const key = gtinKey(code) ?? '';
      assert.ok(gtinSpellings(key).includes(code));
      for (const spelling of gtinSpellings(key)) assert.equal(gtinKey(spelling), key, spelling);
    }),
  );
});

test('[M1] a GTIN counts only with its right check digit', () => {
  for (const good of ['96385074', '036000291452', '4006381333931', '00036000291452'])
    assert.ok(isValidGtin(good), good);
  for (const bad of ['', '4006381333930', '400638133393', 'ABC', '4006381333931 ', '12345', '٤٠٠٦٣٨١٣'])
    assert.ok(!isValidGtin(bad), bad);
});

test('[M1] laws of the check digit: each number has exactly one, and every slip of one digit is found', () => {
  const digits = fc
    .constantFrom(7, 11, 12, 13)
    .chain((length) => fc.array(fc.nat(9), { minLength: length, maxLength: length }));
  fc.assert(
    fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (body, at, by) => {
      const completed = Array.from({ length: 10 }, (_, digit) => [...body, digit].join('')).filter(isValidGtin);
      assert.equal(completed.length, 1);
      const code = [...(completed[0] ?? '')].map(Number);
      const place = at % code.length;
      code[place] = ((code[place] ?? 0) + by) % 10;
      assert.ok(!isValidGtin(code.join('')));
    }),
  );
});
