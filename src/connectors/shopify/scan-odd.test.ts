import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { DownloadTransport, Transport } from '../shared/transport.ts';
import { connectTo } from './integration-support.test.ts';
import { createInProcessShop, type InProcessShop } from './sandbox-support.test.ts';
import { jsonResponse } from './test-support.ts';

/** Scans of a shop that does not show everything as it should. */

type Row = Record<string, unknown>;
interface Answer {
  readonly data: { nodes: (Row | null)[] };
  errors?: object[];
}

function shopOf(products: number) {
  const shop = createInProcessShop();
  shop.sandbox.controls.seed(products, 2);
  const ids = [...new Set(shop.sandbox.controls.listShelf().map(({ productId }) => productId))];
  return { shop, ids };
}

/** Changes what is answered to reads by id; `names` takes the names of all operations. */
function answering(shop: InProcessShop, change: (answer: Answer) => void, names: string[] = []): Transport {
  return async (request) => {
    const { operationName } = JSON.parse(String(request.body)) as { operationName: string };
    names.push(operationName);
    const response = await shop.transport(request);
    if (operationName !== 'ProductsById') return response;
    const body = JSON.parse(new TextDecoder().decode(response.body)) as Answer;
    change(body);
    return jsonResponse(body);
  };
}

/** Changes the lines of a bulk file; its size stays. */
function rewriting(shop: InProcessShop, change: (line: string) => string): DownloadTransport {
  return async (request) => {
    const { chunks, ...download } = await shop.download(request);
    async function* changed() {
      for await (const chunk of chunks) yield new TextEncoder().encode(change(new TextDecoder().decode(chunk)));
    }
    return { ...download, chunks: changed() };
  };
}

async function scanAll(connector: ReturnType<typeof connectTo>): Promise<ProductSnapshot[]> {
  const all: ProductSnapshot[] = [];
  for await (const { snapshots } of connector.scan({ resume: null })) all.push(...snapshots);
  return all;
}

const leftOut = (snapshots: readonly ProductSnapshot[]) =>
  snapshots.filter(({ unsyncable }) => unsyncable !== null).map(({ externalId }) => externalId);

/** Bulk operations are refused: all is read page by page. */
const withoutBulk =
  (transport: Transport): Transport =>
  async (request) =>
    String(request.body).includes('"operationName":"BulkRunQuery"')
      ? jsonResponse({ errors: [{ message: 'no', extensions: { code: 'undefinedField' } }] })
      : await transport(request);

test('[C19] a walk lists a product that can’t be understood, or that Shopify fails at, with its reason, and goes on', async () => {
  for (const [spoil, title] of [
    [(row: Row) => ({ ...row, title: 'Odd', tags: null }), 'Odd'],
    [() => null, ''],
  ] as const) {
    const { shop, ids } = shopOf(40);
    const odd = ids[3];
    const transport = answering(shop, (answer) => {
      const { nodes } = answer.data;
      const at = nodes.findIndex((node) => node?.['id'] === odd);
      if (at < 0) return;
      nodes[at] = spoil(nodes[at] as Row);
      if (nodes[at] === null)
        answer.errors = [{ message: 'x', path: ['nodes', at], extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
    });
    const snapshots = await scanAll(connectTo(shop, { transport: withoutBulk(transport) }));
    assert.deepEqual(
      snapshots.map(({ externalId }) => externalId),
      ids,
    );
    assert.deepEqual(leftOut(snapshots), [odd]);
    const { unsyncable, fields, adminUrl } = snapshots[3] as ProductSnapshot;
    assert.deepEqual([unsyncable?.reason, fields.title, adminUrl.endsWith('/products/')], ['malformed', title, false]);
    await shop.close();
  }
});

test('[C19] a product that a bulk file shows oddly is read by itself; where that is odd too, it is listed with its reason', async () => {
  for (const isOddEverywhere of [false, true]) {
    const { shop, ids } = shopOf(40);
    const names: string[] = [];
    const transport = answering(
      shop,
      ({ data }) => {
        if (isOddEverywhere) data.nodes = data.nodes.map((node) => (node?.['id'] === ids[3] ? { id: ids[3] } : node));
      },
      names,
    );
    const download = rewriting(shop, (line) =>
      line.includes(`"id":"${ids[3]}"`) ? line.replace('"isGiftCard":false', '"isGiftCard":"no" ') : line,
    );
    const snapshots = await scanAll(connectTo(shop, { transport, download }));
    assert.deepEqual(
      snapshots.map(({ externalId }) => externalId),
      ids,
    );
    assert.deepEqual(leftOut(snapshots), isOddEverywhere ? [ids[3]] : []);
    assert.equal(names.filter((name) => name === 'ProductsById').length, 1);
    assert.ok(!names.includes('ProductsListed'), 'the rest comes from the file');
    await shop.close();
  }
});
