import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { readBulkProducts } from './bulk-file.ts';

const product = (id: number) => ({
  id: `gid://shopify/Product/${id}`,
  title: `Tee 😀 ${id}`,
  handle: 'tee',
  descriptionHtml: '<p>a\u2028b</p>',
  status: 'ACTIVE',
  tags: [],
  updatedAt: '2026-11-21T00:00:00Z',
  publishedAt: '2026-11-21T00:00:00Z',
  isGiftCard: false,
  requiresSellingPlan: false,
  combinedListingRole: null,
  hasVariantsThatRequiresComponents: false,
  options: [{ name: 'Title', position: 1 }],
});
const variant = (id: number, parent: number) => ({
  id: `gid://shopify/ProductVariant/${id}`,
  sku: null,
  barcode: null,
  price: '1.00',
  compareAtPrice: null,
  inventoryPolicy: 'DENY',
  taxable: true,
  selectedOptions: [],
  inventoryItem: {
    id: `gid://shopify/InventoryItem/${id}`,
    tracked: true,
    requiresShipping: true,
    measurement: null,
    inventoryLevel: null,
  },
  __parentId: `gid://shopify/Product/${parent}`,
});
const metafield = (parent: number) => ({
  id: 'gid://shopify/Metafield/1',
  key: 'mark_x',
  value: 'a:b',
  __parentId: `gid://shopify/Product/${parent}`,
});
const media = (parent: number, url: string) => ({
  id: `gid://shopify/MediaImage/${url.length}`,
  preview: { image: { url } },
  __parentId: `gid://shopify/Product/${parent}`,
});

const ROWS = [
  product(1),
  metafield(1),
  variant(11, 1),
  media(1, 'a'),
  media(1, 'bb'),
  variant(12, 1),
  product(2),
  variant(21, 2),
  product(3),
];
const jsonl = (rows: readonly object[]) =>
  new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

function operationOf(rows: readonly { id: string }[]) {
  return {
    fileSize: String(jsonl(rows).byteLength),
    objectCount: String(rows.length),
    rootObjectCount: String(rows.filter((row) => !('__parentId' in row)).length),
  };
}

async function readAll(bytes: Uint8Array, operation: Parameters<typeof readBulkProducts>[1], size = 7) {
  const found = [];
  for await (const parts of readBulkProducts(inPieces(bytes, size), operation)) found.push(parts);
  return found;
}

const isDamaged = (words: RegExp) => (error: unknown) =>
  error instanceof ConnectorError && error.kind === 'malformed' && words.test(error.message);

test('products with their children, wherever the pieces are cut', async () => {
  const bytes = jsonl(ROWS);
  for (const size of [1, 3, 64, bytes.byteLength]) {
    const found = await readAll(bytes, operationOf(ROWS), size);
    assert.deepEqual(
      found.map(({ parts, variantCount }) => [
        parts?.product.title,
        variantCount,
        parts?.marks.length,
        parts?.media.length,
      ]),
      [
        ['Tee 😀 1', 2, 1, 1],
        ['Tee 😀 2', 1, 0, 0],
        ['Tee 😀 3', 0, 0, 0],
      ],
    );
    assert.equal(found[0]?.parts?.media[0]?.preview?.image?.url, 'a');
  }
});

test('the last line may lack its line break, and an empty file is an empty shop', async () => {
  const bytes = jsonl(ROWS);
  const operation = { ...operationOf(ROWS), fileSize: String(bytes.byteLength - 1) };
  assert.equal((await readAll(bytes.subarray(0, -1), operation)).length, 3);
  assert.deepEqual(await readAll(new Uint8Array(), { fileSize: null, objectCount: 0, rootObjectCount: '0' }), []);
});

test('[C20] a file that is cut anywhere is never taken for whole', async () => {
  const bytes = jsonl(ROWS);
  for (let end = 0; end < bytes.byteLength; end += 1) {
    for (const fileSize of [String(bytes.byteLength), null]) {
      const operation = { ...operationOf(ROWS), fileSize };
      // Without its size, a file that lacks nothing but its last line break holds every line.
      if (fileSize === null && end === bytes.byteLength - 1) continue;
      await assert.rejects(readAll(bytes.subarray(0, end), operation, 4096), ConnectorError, `cut at ${end}`);
    }
  }
});

test('[C20] lines out of order, foreign lines and other counts are errors', async () => {
  const shuffled = [product(1), product(2), variant(11, 1)];
  await assert.rejects(readAll(jsonl(shuffled), operationOf(shuffled)), isDamaged(/out of order/));
  const orphan = [variant(11, 1), product(1)];
  await assert.rejects(readAll(jsonl(orphan), operationOf(orphan)), isDamaged(/out of order/));
  await assert.rejects(
    readAll(jsonl(ROWS), { ...operationOf(ROWS), rootObjectCount: '4' }),
    isDamaged(/3 of 4 products/),
  );
  await assert.rejects(readAll(new TextEncoder().encode('<html>\n'), operationOf(ROWS)), isDamaged(/no JSON/));
  await assert.rejects(readAll(Uint8Array.from([0xff, 0xfe, 10]), operationOf(ROWS)), isDamaged(/UTF-8/));
  const nameless = [{ ...product(1), id: 'x' }];
  await assert.rejects(readAll(jsonl(nameless), operationOf(nameless)), isDamaged(/neither a product/));
});

test('a line that can’t be understood concerns its product alone', async () => {
  const rows = [
    { ...product(1), title: 5 },
    variant(11, 1),
    product(2),
    { ...variant(21, 2), price: false },
    variant(22, 2),
    metafield(2),
    product(3),
  ];
  const found = await readAll(jsonl(rows), operationOf(rows as never));
  assert.deepEqual(
    found.map(({ id, parts, variantCount }) => [id, parts === null, variantCount]),
    [
      ['gid://shopify/Product/1', true, 1],
      ['gid://shopify/Product/2', true, 2],
      ['gid://shopify/Product/3', false, 0],
    ],
  );
  assert.match(found[0]?.fault ?? '', /title/);
  assert.match(found[1]?.fault ?? '', /price/);
});
