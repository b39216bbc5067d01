import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildASTSchema, parse, printSchema, validate } from 'graphql';
import { pruneSchema } from '../../../scripts/refresh-shopify-schema.ts';
import { OPERATIONS } from './operations.gen.ts';

const folder = new URL('../../sandbox/shopify/schema/', import.meta.url);
const texts = ['admin-2026-10.graphql', 'admin-2026-10-more.graphql'].map((name) =>
  readFileSync(new URL(name, folder), 'utf8'),
);
const operations = Object.values(OPERATIONS).map(({ text }) => text);
const build = (text: string) => buildASTSchema(parse(text), { assumeValid: true, assumeValidSDL: true });
const merged = printSchema(build(texts.join('\n')));

test('pruning what is already pruned changes nothing', () => {
  const { files, lost } = pruneSchema(
    parse(merged),
    texts.map((text) => parse(text)),
    operations,
  );
  assert.deepEqual(lost, []);
  assert.equal(files.length, 2);
  const fieldsOf = (text: string) => printSchema(build(text)).split('\n').sort().join('\n');
  assert.equal(fieldsOf(files.join('\n')), fieldsOf(merged));
});

test('from an empty start the operations alone decide what is kept, and stay valid', () => {
  const { files, lost } = pruneSchema(parse(merged), [parse('scalar Money')], operations);
  assert.deepEqual(lost, []);
  const schema = build(files.join('\n'));
  for (const text of operations) assert.deepEqual(validate(schema, parse(text)), []);
  assert.equal(schema.getType('Order'), undefined);
  assert.ok((files[0]?.length ?? 0) < merged.length);
});

test('what a new version no longer has is named', () => {
  const present = parse('type Shop { name: String! gone: Int } type Vanished { x: Int }');
  const { lost } = pruneSchema(parse(merged), [present], []);
  assert.deepEqual(lost, ['Shop.gone', 'Vanished']);
});

test('an operation that selects what does not exist stops the refresh', () => {
  assert.throws(
    () => pruneSchema(parse(merged), [parse('scalar Money')], ['{ shop { noSuchField } }']),
    /Shop\.noSuchField/,
  );
});
