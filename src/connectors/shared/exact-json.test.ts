import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareIds, idText, parseExactJson, parseJson, TooManyParts, wireId } from './exact-json.ts';

test('integers beyond 2^53 keep every digit, everything else stays as JSON.parse gives it', () => {
  const text =
    '{"id":9007199254740993,"list":[18446744073709551615,1],"price":1234567890123456.5,"small":12,"t":"id:9007199254740993 \\" 9007199254740993"}';
  assert.deepEqual(parseExactJson(text), {
    id: '9007199254740993',
    list: ['18446744073709551615', 1],
    price: 1234567890123456.5,
    small: 12,
    t: 'id:9007199254740993 " 9007199254740993',
  });
  assert.throws(() => parseExactJson('{"id":90071992547409931234'), SyntaxError);
  assert.throws(() => parseExactJson('<html>'), SyntaxError);
});

test('a fraction of many digits is a number like any other', () => {
  assert.deepEqual(parseExactJson('{"a":0.30000000000000004,"b":-0.3333333333333333,"id":9007199254740993}'), {
    a: 0.30000000000000004,
    b: -0.3333333333333333,
    id: '9007199254740993',
  });
  for (const text of [
    '1234567890123456e3',
    '1.2345678901234567E-17',
    '1e+0000000000000002',
    '1e-0000000000000002',
    '1E0000000000000002',
  ])
    assert.equal(parseExactJson(text), Number(text), text);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const text = JSON.stringify(number);
      const told = parseExactJson(`{"a":[${text},1234567890123456.5],"t":"${text}"}`) as { a: unknown[] };
      assert.deepEqual(told, { a: [/^-?\d{16,}$/.test(text) ? text : JSON.parse(text), 1234567890123456.5], t: text });
    }),
  );
});

test('long strings are stepped over without a stack overflow', () => {
  const long = `${'x\\"'.repeat(500_000)}1234567890123456789`;
  assert.equal((parseExactJson(`{"a":"${long}","id":9007199254740993}`) as { id: string }).id, '9007199254740993');
});

test('ids are positive integers in either form', () => {
  assert.equal(idText(12), '12');
  assert.equal(idText('9007199254740993'), '9007199254740993');
  for (const bad of [0, -1, 1.5, 2 ** 53, '', '0', '1e3', '01', null, undefined, {}]) assert.equal(idText(bad), null);
  assert.equal(wireId('12'), 12);
  assert.equal(wireId('9007199254740993'), '9007199254740993');
  assert.ok(compareIds('9', '10') < 0 && compareIds('10', '9') > 0 && compareIds('7', '7') === 0);
});

test('what texts are made of is not counted: a page of large products is taken in, one of too many parts is not', () => {
  const meta = { id: 1, key: '_builder', value: '[{"a":"\\\\"},{},[]],'.repeat(2_000) };
  const page = Array.from({ length: 100 }, (_, id) => ({ id, name: 'A "cup" \\', meta_data: Array(20).fill(meta) }));
  for (const parse of [parseJson, parseExactJson]) {
    assert.deepEqual(parse(JSON.stringify(page.slice(0, 3))), page.slice(0, 3));
    for (const [text, isTaken] of [
      [`[${'1,'.repeat(299_998)}1]`, true],
      [`[${'1,'.repeat(300_000)}1]`, false],
      [`[${'{"a":1},'.repeat(99_999)}1]`, true],
      [`[${'{"a":1},'.repeat(100_001)}1]`, false],
      [`[1234567890123456,${'"a",'.repeat(150_001)}1]`, false],
      [`"${'[{,'.repeat(200_000)}"`, true],
      [`["\\\\","\\"",${'[],'.repeat(100_000)}1]`, true],
    ] as const) {
      if (isTaken) assert.doesNotThrow(() => parse(text), text.slice(0, 20));
      else assert.throws(() => parse(text), TooManyParts, text.slice(0, 20));
    }
  }
  assert.throws(() => parseJson(`"${'x'.repeat(400_000)}`), SyntaxError);
});
