import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { ScanPage } from '../../ports/connector.ts';
import { ADDRESS_REFUSED } from '../shared/address-guard.ts';
import { type DownloadTransport, type Transport, TransportError } from '../shared/transport.ts';
import { connectTo, createOf, written } from './integration-support.test.ts';
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

async function pagesOf(connector: ReturnType<typeof connectTo>, resume: string | null): Promise<ScanPage[]> {
  const pages: ScanPage[] = [];
  for await (const page of connector.scan({ resume })) pages.push(page);
  return pages;
}

async function scanAll(connector: ReturnType<typeof connectTo>): Promise<ProductSnapshot[]> {
  return (await pagesOf(connector, null)).flatMap(({ snapshots }) => snapshots);
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

/** A shop whose listing is said to lie at `url`. */
function listedAt(shop: InProcessShop, url: string): Transport {
  return async (request) => {
    const response = await shop.transport(request);
    if (!String(request.body).includes('"operationName":"BulkOperationById"')) return response;
    const body = JSON.parse(new TextDecoder().decode(response.body)) as { data: { bulkOperation: Row } };
    if (typeof body.data.bulkOperation['url'] === 'string') body.data.bulkOperation['url'] = url;
    return jsonResponse(body);
  };
}

test('[C19] a bulk file that can’t be had is walked around, and none is asked for again for an hour', async () => {
  for (const [url, failure, fetches] of [
    [
      'https://storage.googleapis.com/1.jsonl',
      new TransportError('before_send', 'dns', 'no such host', 'ENOTFOUND'),
      3,
    ],
    ['https://storage.googleapis.com/1.jsonl', new TransportError('before_send', 'timeout', 'no answer'), 3],
    ['http://10.0.0.1/1.jsonl', new TransportError('before_send', 'blocked', 'not public', ADDRESS_REFUSED), 1],
    ['https://a b/', null, 0],
    ['', null, 0],
  ] as const) {
    const { shop, ids } = shopOf(3);
    const asked: string[] = [];
    const download: DownloadTransport = (request) => {
      asked.push(request.url);
      return Promise.reject(failure);
    };
    const connector = connectTo(shop, { transport: listedAt(shop, url), download });
    for (let scans = 0; scans < 2; scans += 1) {
      const snapshots = await scanAll(connector);
      assert.deepEqual(
        snapshots.map(({ externalId }) => externalId),
        ids,
        url,
      );
    }
    // The guard of the transport sees the address as it was given.
    assert.deepEqual(
      asked,
      Array.from({ length: fetches }, () => url),
    );
    await shop.close();
  }
});

test('[C19] an answer in place of a bulk file is let go of: its socket would wait for a reader', async () => {
  for (const [status, fetches] of [
    [404, 1],
    [503, 3],
  ] as const) {
    const { shop, ids } = shopOf(3);
    const open = new Set<number>();
    let fetched = 0;
    const download: DownloadTransport = ({ signal }) => {
      const number = ++fetched;
      open.add(number);
      async function* chunks() {
        try {
          assert.equal(signal?.aborted, true, 'its first piece may never come');
          if (number > 1) throw new TransportError('after_send', 'timeout', 'no answer');
          yield new TextEncoder().encode('<Error>');
          assert.fail('no more of it is read');
        } finally {
          open.delete(number);
        }
      }
      return Promise.resolve({ status, headers: {}, chunks: chunks() });
    };
    assert.equal((await scanAll(connectTo(shop, { download }))).length, ids.length);
    assert.deepEqual([fetched, [...open]], [fetches, []]);
    await shop.close();
  }
});

test('[C19] a bulk file may lie at the shop itself, without its name', async () => {
  const { shop, ids } = shopOf(3);
  let path = '';
  const download: DownloadTransport = (request) => {
    assert.equal(request.url, `https://${shop.sandbox.shopDomain}/bulk/1.jsonl?x=1`);
    return shop.download({ ...request, url: path });
  };
  const transport: Transport = async (request) => {
    const response = await shop.transport(request);
    path = /"url":"([^"]+\.jsonl)"/.exec(new TextDecoder().decode(response.body))?.[1] ?? path;
    return response;
  };
  const relative = listedAt({ ...shop, transport }, '/bulk/1.jsonl?x=1');
  const snapshots = await scanAll(connectTo(shop, { transport: relative, download }));
  assert.deepEqual(
    snapshots.map(({ externalId }) => externalId),
    ids,
  );
  await shop.close();
});

test('[C19] a bulk file that can’t be had any more in the middle of a scan: what goes on from there is told to start afresh, and is walked', async () => {
  const { shop, ids } = shopOf(5);
  let isCut = false;
  const download: DownloadTransport = (request) =>
    isCut ? Promise.reject(new TransportError('before_send', 'refused', 'no connection')) : shop.download(request);
  const connector = connectTo(shop, { download, pageSize: 2 });
  const [first] = await pagesOf(connector, null);
  isCut = true;
  const resume = first?.resume ?? null;
  await assert.rejects(pagesOf(connector, resume), { kind: 'unavailable' });
  await assert.rejects(pagesOf(connector, resume), { kind: 'rejected' });
  assert.equal((await scanAll(connector)).length, ids.length);
  await shop.close();
});

test('[C27] a scan that is given up while its file is fetched is no sign that the file can’t be had', async () => {
  const { shop } = shopOf(3);
  const download: DownloadTransport = () =>
    Promise.reject(new TransportError('after_send', 'aborted', 'the call was cancelled'));
  await assert.rejects(
    scanAll(connectTo(shop, { download })),
    (error: { details?: { isCancelled?: boolean } }) => error.details?.isCancelled === true,
  );
  await shop.close();
});

for (const [what, fault] of [
  ['an edge that fails', { status: 502, headers: {}, body: new TextEncoder().encode('<html>Bad gateway</html>') }],
  ['no points left', jsonResponse({ errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] })],
] as const)
  test(`[C19] ${what} for a minute while a bulk listing is waited for costs nothing of it; for longer the scan fails`, async () => {
    const shop = createInProcessShop();
    shop.sandbox.controls.seed(3, 2);
    const names: string[] = [];
    let until = Number.POSITIVE_INFINITY;
    const transport: Transport = async (request) => {
      const { operationName } = JSON.parse(String(request.body)) as { operationName: string };
      names.push(operationName);
      return operationName === 'BulkOperationById' && shop.time.now() < until ? fault : shop.transport(request);
    };
    const connector = connectTo(shop, { transport });
    await assert.rejects(scanAll(connector), (error) => error instanceof ConnectorError && error.kind !== 'malformed');
    names.length = 0;
    until = shop.time.now() + 60_000;
    assert.equal((await scanAll(connector)).length, 3);
    assert.equal(names.filter((name) => name === 'BulkRunQuery').length, 1);
    await shop.close();
  });

for (const [way, alter] of [
  ['bulk', (transport: Transport) => transport],
  ['a walk', withoutBulk],
] as const)
  test(`[S12] a listing by ${way} tells that the mapped location is switched off, as every other reading does`, async () => {
    const shop = createInProcessShop();
    const shed = shop.sandbox.controls.addLocation('Shed');
    const connector = connectTo(shop, { transport: alter(shop.transport), locationId: shed, pageSize: 1 });
    const made = [await written(connector, createOf(1)), await written(connector, createOf(2))];
    const told = async () => {
      const listed = await scanAll(connector);
      const marked = await connector.findByMark({ pairId: 'pair_a', hubId: 'prd_1' }, 0);
      const read = await connector.readProducts(made.map(({ externalId }) => externalId));
      const seen = [...listed, marked, ...read.map((outcome) => (outcome.ok ? outcome.value : null))];
      assert.equal(seen.length, 5);
      return [...new Set(seen.map((snapshot) => snapshot?.stockUnread))];
    };
    assert.deepEqual(await told(), [undefined]);
    shop.sandbox.controls.deactivateLocation(shed);
    assert.deepEqual(await told(), ['the Shopify stock location that this pair is linked with is switched off']);
    shop.sandbox.controls.activateLocation(shed);
    assert.deepEqual(await told(), [undefined]);
    await shop.close();
  });
