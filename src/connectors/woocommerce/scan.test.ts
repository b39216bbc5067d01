import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { VARIANTS_PER_BATCH } from '../../model/batch.ts';
import type { ScanPage } from '../../ports/connector.ts';
import { createWooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import type { WooSandboxOptions } from '../../sandbox/woocommerce/options.ts';
import { SeededRandom, seededRandomPort } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { ANSWER_TOO_LARGE, type HttpResponse, TransportError } from '../shared/transport.ts';
import { createWooConnector, type WooConnectorOptions } from './connector.ts';

const closers: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closers) await close();
});

async function openStore(options: WooSandboxOptions = {}, more: Partial<WooConnectorOptions> = {}) {
  const clock = new VirtualClock();
  const stop = clock.autoRun();
  const sandbox = createWooSandbox({ siteUrl: 'https://shop.example', ...options });
  await sandbox.app.ready();
  closers.push(async () => {
    stop();
    await sandbox.close();
  });
  const calls: string[] = [];
  /** In place of the store's own answer. */
  const hooks = { answer: (_url: URL): HttpResponse | null => null };
  const connector = createWooConnector({
    url: 'https://shop.example',
    consumerKey: 'ck_sandbox',
    consumerSecret: 'cs_sandbox',
    webhookSecrets: ['s'],
    clock,
    random: seededRandomPort(new SeededRandom('scan'), clock),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    info: { currency: 'USD', priceDecimals: 2, weightUnit: 'kg' },
    requestsPerSecond: 1_000,
    transport: async (request) => {
      const url = new URL(request.url);
      calls.push(`${url.pathname.replace('/wp-json/wc/v3', '')}${url.search}`);
      const answer = hooks.answer(url);
      if (answer !== null) return answer;
      const response = await sandbox.app.inject({
        method: request.method as 'GET',
        url: `${url.pathname}${url.search}`,
        headers: { ...request.headers },
        ...(request.body === undefined ? {} : { payload: request.body as string }),
      });
      const headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      );
      return { status: response.statusCode, headers, body: response.rawPayload };
    },
    ...more,
  });
  return { sandbox, connector, calls, hooks, clock, controls: sandbox.controls };
}

async function scanAll(
  connector: { scan(request: { resume: string | null }): AsyncIterable<ScanPage> },
  resume: string | null = null,
) {
  const pages: ScanPage[] = [];
  for await (const page of connector.scan({ resume })) pages.push(page);
  return pages;
}

const idsOf = (pages: readonly ScanPage[]) => pages.flatMap((page) => page.snapshots.map((one) => one.externalId));
const variantCount = (pages: readonly ScanPage[]) =>
  pages.reduce((sum, page) => sum + page.snapshots.reduce((count, one) => count + one.variants.length, 0), 0);

/** Shapes of catalogues: products and variations of each. */
const CATALOGUES: readonly (readonly [string, number, number])[] = [
  ['1,000 products of 3', 1_000, 3],
  ['1,000 simple products', 1_000, 1],
  ['500 products of 2', 500, 2],
  ['60 products of 40', 60, 40],
  ['1,234 products of 7', 1_234, 7],
];

for (const [name, products, each] of CATALOGUES) {
  test(`[C19] a scan of ${name} costs at most 1.1 times the fewest calls, and gives everything once`, async () => {
    const { connector, controls, calls } = await openStore();
    controls.seed(products, each);
    const pages = await scanAll(connector);
    const variations = each > 1 ? products * each : 0;
    const fewest = Math.ceil(products / 100) + Math.ceil(variations / 100);
    assert.ok(calls.length <= fewest * 1.1, `${calls.length} calls, ${fewest} at least`);
    assert.equal(new Set(idsOf(pages)).size, products);
    assert.equal(idsOf(pages).length, products);
    assert.equal(variantCount(pages), products * each);
    assert.ok(pages.every((page) => page.snapshots.length <= 100));
    assert.deepEqual(
      pages.map((page) => page.isComplete),
      [...pages.slice(1).map(() => false), true],
    );
    assert.ok(
      calls.every((call) => call.length < 6_000),
      'addresses that web servers take',
    );
  });
}

test('products of many variations make small pages, and a page is handed out before the variations of the next are fetched', async () => {
  const { connector, controls, calls } = await openStore();
  controls.seed(40, 300);
  const pages: ScanPage[] = [];
  const callsAt: number[] = [];
  for await (const page of connector.scan({ resume: null })) {
    pages.push(page);
    callsAt.push(calls.length);
  }
  assert.equal(variantCount(pages), 12_000);
  assert.ok(pages.every((page) => variantCount([page]) <= VARIANTS_PER_BATCH));
  assert.deepEqual(
    pages.map((page) => page.isComplete),
    [...pages.slice(1).map(() => false), true],
  );
  const aPage = VARIANTS_PER_BATCH / 100 + 20;
  callsAt.forEach((count, index) => {
    assert.ok(count <= aPage * (index + 1), `${count} calls before page ${index + 1}`);
  });
  for (const [index, { resume }] of pages.slice(0, -1).entries())
    assert.deepEqual(idsOf(await scanAll(connector, resume)), idsOf(pages.slice(index + 1)));
});

test('[C19] a mixed catalogue is joined whole: simple, variable, without variations, of every status', async () => {
  const { connector, controls, calls } = await openStore();
  let variations = 0;
  for (let n = 0; n < 450; n += 1) {
    const count = n % 3 === 0 ? 0 : (n * 7) % 9;
    variations += count;
    controls.addProduct({
      title: `P ${n}`,
      status: ['publish', 'draft', 'private', 'pending'][n % 4]!,
      ...(count === 0
        ? { sku: `S-${n}`, regularPrice: '1.00' }
        : {
            variations: Array.from({ length: count }, (_, at) => ({
              options: { Size: `S${at}` },
              sku: `V-${n}-${at}`,
              stock: at,
            })),
          }),
    });
  }
  const pages = await scanAll(connector);
  const fewest = Math.ceil(450 / 100) + Math.ceil(variations / 100);
  assert.ok(calls.length <= Math.ceil(fewest * 1.1), `${calls.length} calls, ${fewest} at least`);
  assert.equal(idsOf(pages).length, 450);
  const snapshots = pages.flatMap((page) => page.snapshots);
  assert.equal(
    snapshots.reduce((sum, one) => sum + (one.fields.optionNames.length > 0 ? one.variants.length : 0), 0),
    variations,
  );
  const read = await connector.readProducts(idsOf(pages).slice(0, 100));
  assert.deepEqual(
    read.map((outcome) => outcome.ok && outcome.value),
    snapshots.slice(0, 100),
  );
});

test('[C19] resuming after any page gives exactly the rest', async () => {
  const { connector, controls } = await openStore({}, { pageSize: 10 });
  controls.seed(57, 2);
  const pages = await scanAll(connector);
  const all = idsOf(pages);
  let seen = 0;
  for (const page of pages) {
    seen += page.snapshots.length;
    const rest = await scanAll(connector, page.resume);
    assert.deepEqual(idsOf(rest), all.slice(seen));
    assert.equal(rest.at(-1)?.isComplete, true);
  }
});

test('[C19] nothing is missed when products before the place are deleted, by few or by many, and others are made', async () => {
  for (const perPage of [1, 7, 25]) {
    const { connector, controls } = await openStore({}, { pageSize: 10 });
    controls.seed(200, 1);
    const original = idsOf(await scanAll(connector));
    const gone = new Set<string>();
    const seen: string[] = [];
    for await (const page of connector.scan({ resume: null })) {
      seen.push(...page.snapshots.map((one) => one.externalId));
      const early = original.filter((id) => !gone.has(id)).slice(0, perPage);
      for (const id of early) {
        controls.deleteProduct(Number(id), true);
        gone.add(id);
        // One more at the end for each one less: the total stays as it was.
        controls.addProduct({ title: `new for ${id}` });
      }
      if (seen.length > 400) break;
    }
    const missed = original.filter((id) => !gone.has(id) && !seen.includes(id));
    assert.deepEqual(missed, []);
    assert.equal(new Set(seen).size, seen.length, 'none twice');
  }
});

test('before 10.3 each product with variations is asked for its own', async () => {
  const { connector, controls, calls } = await openStore({ version: '10.2.0' });
  controls.seed(12, 3);
  const pages = await scanAll(connector);
  assert.equal(variantCount(pages), 36);
  assert.equal(calls.filter((call) => call.startsWith('/variations')).length, 1);
  assert.equal(calls.filter((call) => /^\/products\/\d+\/variations/.test(call)).length, 12);
});

test('a list of all variations that is not served, in whatever words, is done without', async () => {
  const page = '<!doctype html><title>Not found</title><h1>Not found</h1>';
  for (const text of [page, '{"code":"rest_forbidden_route","message":"Hidden.","data":{"status":404}}']) {
    const store = await openStore();
    store.controls.seed(4, 2);
    const rows = store.controls.listShelf();
    const { connector } = await openStore(
      {},
      {
        transport: async (request) => {
          const url = new URL(request.url);
          const route = url.searchParams.get('rest_route') ?? url.pathname.replace('/wp-json', '');
          if (route === '/wc/v3/variations') return { status: 404, headers: {}, body: new TextEncoder().encode(text) };
          const response = await store.sandbox.app.inject({
            url: `${url.pathname}${url.search}`,
            headers: { ...request.headers },
          });
          const headers = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          );
          return { status: response.statusCode, headers, body: response.rawPayload };
        },
      },
    );
    const stockIds = rows.map((row) => `v:${row.productId}:${row.variationId}`);
    assert.ok((await connector.readStock(stockIds)).every(({ ok }) => ok));
    // The first round meets the missing list, the next one knows of it.
    let { cursor } = await connector.listChanged(null);
    for (let round = 0, pages = 0; round < 2; pages += 1) {
      assert.ok(pages < 12);
      const changed = await connector.listChanged(cursor);
      cursor = changed.cursor;
      if (!changed.hasMore) round += 1;
    }
    const pages = await scanAll(connector);
    assert.equal(variantCount(pages), 8);
    for (const outcome of await connector.readProducts(idsOf(pages)))
      assert.equal(outcome.ok && outcome.value.variants.length, 2);
  }
});

test('a server that ignores the filter by parents is noticed', async () => {
  const store = await openStore();
  store.controls.seed(6, 2);
  store.controls.addProduct({ title: 'Apart', variations: [{ options: { Size: 'S' } }, { options: { Size: 'M' } }] });
  const ids = idsOf(await scanAll(store.connector)).slice(0, 3);
  const { connector } = await openStore(
    {},
    {
      transport: async (request) => {
        const url = new URL(request.url);
        if (url.pathname.endsWith('/wc/v3/variations')) url.searchParams.delete('parent');
        const response = await store.sandbox.app.inject({
          url: `${url.pathname}${url.search}`,
          headers: { ...request.headers },
        });
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        );
        return { status: response.statusCode, headers, body: response.rawPayload };
      },
    },
  );
  for (const outcome of await connector.readProducts(ids)) assert.equal(outcome.ok && outcome.value.variants.length, 2);
});

test('[C20] a page with fewer records than the total says throws, and so does a lost header', async () => {
  const store = await openStore();
  store.controls.seed(250, 1);
  for (const damage of ['short', 'empty', 'no total', 'wrong order'] as const) {
    const { connector } = await openStore(
      {},
      {
        transport: async (request) => {
          const url = new URL(request.url);
          const response = await store.sandbox.app.inject({
            url: `${url.pathname}${url.search}`,
            headers: { ...request.headers },
          });
          const headers = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          );
          // A store that knows of no envelopes gives the bare list.
          const told = response.json() as unknown[] | { body: unknown[] };
          let list = Array.isArray(told) ? told : told.body;
          if (damage === 'short' && url.searchParams.has('offset')) list = list.slice(0, 50);
          if (damage === 'empty') list = [];
          if (damage === 'wrong order') list.reverse();
          if (damage === 'no total') delete headers['x-wp-total'];
          return { status: 200, headers, body: new TextEncoder().encode(JSON.stringify(list)) };
        },
      },
    );
    let isComplete = false;
    await assert.rejects(async () => {
      for await (const page of connector.scan({ resume: null })) isComplete ||= page.isComplete;
    }, damage);
    assert.equal(isComplete, false, damage);
  }
});

/** As `openStore`, by a server that knows no `offset`, and no `page` either where that is said. */
async function openWithout(names: readonly string[], pageSize: number, seed: number) {
  const store = await openStore();
  store.controls.seed(seed, 1);
  const { connector } = await openStore(
    {},
    {
      pageSize,
      transport: async (request) => {
        const url = new URL(request.url);
        for (const name of names) url.searchParams.delete(name);
        const response = await store.sandbox.app.inject({
          url: `${url.pathname}${url.search}`,
          headers: { ...request.headers },
        });
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        );
        return { status: response.statusCode, headers, body: response.rawPayload };
      },
    },
  );
  return { connector, controls: store.controls };
}

test('[C19] a server that ignores offset is listed by page number: everything once, from any place', async () => {
  for (const [pageSize, count] of [
    [100, 250],
    [100, 199],
    [10, 93],
    [2, 47],
  ] as const) {
    const { connector } = await openWithout(['offset'], pageSize, count);
    const pages = await scanAll(connector);
    const all = idsOf(pages);
    assert.equal(all.length, count);
    assert.equal(new Set(all).size, count);
    assert.deepEqual(
      pages.map((page) => page.isComplete),
      [...pages.slice(1).map(() => false), true],
    );
    let seen = 0;
    for (const page of pages) {
      seen += page.snapshots.length;
      assert.deepEqual(idsOf(await scanAll(connector, page.resume)), all.slice(seen));
    }
  }
});

test('[C19] a server that ignores offset: nothing is missed when products before the place are deleted or come back', async () => {
  for (const each of [1, 7, 25]) {
    const { connector, controls } = await openWithout(['offset'], 10, 200);
    const original = idsOf(await scanAll(connector));
    assert.equal(original.length, 200);
    const gone = new Set<string>();
    const binned: string[] = [];
    const seen: string[] = [];
    for await (const page of connector.scan({ resume: null })) {
      seen.push(...page.snapshots.map((one) => one.externalId));
      for (const id of binned.splice(0)) controls.restoreProduct(Number(id));
      for (const id of original.filter((one) => !gone.has(one)).slice(0, each)) {
        gone.add(id);
        if (each === 7) {
          binned.push(id);
          controls.trashProduct(Number(id));
        } else controls.deleteProduct(Number(id), true);
      }
    }
    assert.deepEqual(
      original.filter((id) => !gone.has(id) && !seen.includes(id)),
      [],
    );
    assert.equal(new Set(seen).size, seen.length, 'none twice');
  }
});

test('[C20] a server that ignores every place in a list throws, for its first page would read as the whole', async () => {
  for (const count of [199, 250, 300]) {
    const { connector } = await openWithout(['offset', 'page'], 100, count);
    let isComplete = false;
    await assert.rejects(async () => {
      for await (const page of connector.scan({ resume: null })) isComplete ||= page.isComplete;
    }, /ignores the place/);
    assert.equal(isComplete, false);
  }
});

test('a product that goes into the bin between the question for it and that for its variations has not lost them', async () => {
  const { connector, controls, calls } = await openStore();
  controls.seed(2, 3);
  const [page] = await scanAll(connector);
  const id = page?.snapshots[0]?.externalId ?? '';
  for (const ids of [[id], [id, page?.snapshots[1]?.externalId ?? '']]) {
    calls.push = (...added: string[]) => {
      // Called before the store answers.
      if (added.some((call) => call.includes('/variations'))) controls.trashProduct(Number(id));
      return Array.prototype.push.apply(calls, added);
    };
    const [read] = await connector.readProducts(ids);
    assert.equal(read?.ok && read.value.trashed, true);
    assert.equal(read?.ok && read.value.variants.length, 3);
    controls.restoreProduct(Number(id));
  }
});

test('an empty store is one complete page', async () => {
  const { connector } = await openStore();
  const pages = await scanAll(connector);
  assert.deepEqual(
    pages.map(({ snapshots, isComplete }) => ({ snapshots, isComplete })),
    [{ snapshots: [], isComplete: true }],
  );
});

/** How many whole records a call wants. */
function wholeRecords({ searchParams }: URL): number {
  if (searchParams.get('context') !== 'edit' && searchParams.get('_fields') !== 'id,meta_data') return 0;
  return searchParams.get('include')?.split(',').length ?? Number(searchParams.get('per_page') ?? 1);
}

const TOO_MUCH = { status: 504, headers: {}, body: new TextEncoder().encode('<h1>Gateway Time-out</h1>') };

test('a store that cannot give a hundred whole records at once is asked for fewer, and for a hundred again once it can', async () => {
  const { connector, controls, calls, hooks, clock } = await openStore();
  controls.seed(130, 2);
  hooks.answer = (url) => (wholeRecords(url) > 30 ? TOO_MUCH : null);
  const pages = await scanAll(connector);
  assert.equal(new Set(idsOf(pages)).size, 130);
  assert.equal(variantCount(pages), 260);
  const failed = calls.filter((call) => wholeRecords(new URL(call, 'https://shop.example')) > 30).length;
  assert.equal(failed, 3, 'the tries of one page: what it cost is not asked for again');
  const read = await connector.readProducts(idsOf(pages).slice(0, 100));
  assert.ok(read.every(({ ok }) => ok));
  assert.equal(await connector.findByMark({ pairId: 'pair_1', hubId: 'prd_1' }, 0), null, 'all meta data of each');
  hooks.answer = () => null;
  await clock.sleep(30 * 60_000);
  await scanAll(connector);
  calls.length = 0;
  await scanAll(connector);
  assert.ok(calls.length > 0 && calls.every((call) => call.includes('per_page=100')), calls.join());
});

test('a store that was only restarted is asked for a hundred again within a minute, and one that fails again ever more seldom', async () => {
  const { connector, controls, calls, hooks, clock } = await openStore();
  controls.seed(130, 1);
  const isWeak = (url: URL) => wholeRecords(url) > 30;
  /** Calls that failed while all was listed once each half minute. */
  const failuresWithin = async (minutes: number) => {
    const before = calls.length;
    for (let i = 0; i < minutes * 2; i += 1) {
      await scanAll(connector);
      await clock.sleep(30_000);
    }
    return calls.slice(before).filter((call) => isWeak(new URL(call, 'https://shop.example'))).length;
  };
  hooks.answer = (url) => (isWeak(url) ? TOO_MUCH : null);
  await scanAll(connector);
  hooks.answer = () => null;
  await clock.sleep(31_000);
  await scanAll(connector);
  calls.length = 0;
  await scanAll(connector);
  assert.ok(calls.length > 0 && calls.every((call) => call.includes('per_page=100')), calls.join());
  hooks.answer = (url) => (isWeak(url) ? TOO_MUCH : null);
  const [first, second, third] = [await failuresWithin(20), await failuresWithin(20), await failuresWithin(20)];
  assert.ok(first > third && second <= first && third <= 3, [first, second, third].join());
});

test('one that does not answer a page in time is asked for a smaller one by the next try, and no more than that at once', async () => {
  const { connector, controls, calls, hooks } = await openStore();
  controls.seed(60, 1);
  hooks.answer = (url) => {
    if (wholeRecords(url) <= 30) return null;
    throw new TransportError('after_send', 'timeout', 'no answer');
  };
  await assert.rejects(scanAll(connector), { kind: 'timeout' });
  const before = calls.length;
  assert.equal(idsOf(await scanAll(connector)).length, 60);
  assert.equal(calls.length - before, 3);
});

test('a store whose products are so large that ten are more than we take in is asked for as few as we do take', async () => {
  const { connector, controls, hooks } = await openStore();
  controls.seed(30, 2);
  hooks.answer = (url) => {
    if (wholeRecords(url) <= 3) return null;
    throw new TransportError('after_send', 'too_large', 'more than is read', ANSWER_TOO_LARGE);
  };
  const ids = idsOf(await scanAll(connector));
  assert.equal(new Set(ids).size, 30);
  assert.ok((await connector.readProducts(ids)).every(({ ok }) => ok));
  hooks.answer = (url) => {
    if (wholeRecords(url) === 0) return null;
    throw new TransportError('after_send', 'too_large', 'more than is read', ANSWER_TOO_LARGE);
  };
  await assert.rejects(scanAll(connector), { kind: 'malformed' });
});

test('a store that says products have billions of variations is not believed: their pages alone would fill the memory', async () => {
  const { connector, controls, hooks } = await openStore();
  controls.seed(3, 2);
  for (const total of ['400000000000', '1000000']) {
    hooks.answer = ({ pathname }) =>
      pathname.endsWith('/variations')
        ? { status: 200, headers: { 'x-wp-total': total }, body: new TextEncoder().encode('[]') }
        : null;
    await assert.rejects(scanAll(connector), { kind: 'malformed', message: new RegExp(total) });
  }
});

test('a store that fails over a few is not asked for one by one', async () => {
  const { connector, controls, calls, hooks } = await openStore();
  controls.seed(300, 1);
  hooks.answer = (url) => (wholeRecords(url) > 0 ? TOO_MUCH : null);
  await assert.rejects(scanAll(connector), { kind: 'unavailable' });
  assert.ok(calls.length <= 9, `${calls.length} calls`);
});

test('a store that gives ten whole records at a time is not asked for more where its list has changed meanwhile', async () => {
  const { connector, controls, calls, hooks } = await openStore();
  controls.seed(130, 1);
  hooks.answer = (url) => {
    assert.ok(calls.length < 400, 'without end');
    return wholeRecords(url) > 10 ? TOO_MUCH : null;
  };
  const seen: string[] = [];
  for await (const page of connector.scan({ resume: null })) {
    if (seen.length === 0) controls.deleteProduct(Number(page.snapshots[0]?.externalId), true);
    seen.push(...page.snapshots.map(({ externalId }) => externalId));
  }
  assert.equal(new Set(seen).size, 130);
  assert.equal(seen.length, 130, 'none twice');
  const sizes = calls.map((call) => wholeRecords(new URL(call, 'https://shop.example')));
  assert.ok(
    sizes.slice(6).every((size) => size <= 10),
    'after the tries of a hundred and of twenty-five',
  );
});

test('the stock of a hundred records is read in as many parts as the store needs, for their meta data come along', async () => {
  const { connector, controls, calls, hooks } = await openStore();
  controls.seed(60, 1);
  controls.seed(20, 3);
  const snapshots = (await scanAll(connector)).flatMap((page) => page.snapshots);
  const stockIds = snapshots.flatMap(({ variants }) => variants.map(({ stockId }) => stockId ?? ''));
  assert.equal(stockIds.length, 120);
  hooks.answer = (url) => (wholeRecords(url) > 30 ? TOO_MUCH : null);
  calls.length = 0;
  const read = await connector.readStock(stockIds);
  assert.ok(read.every(({ ok }) => ok));
  assert.equal(calls.length, 3 + 4 + 4, 'the tries of one, and fifteen at a time');
});

test('where pages are small, few variations are fetched together: a change meanwhile has few of them listed once more', async () => {
  const { connector, controls, calls, hooks } = await openStore();
  controls.seed(40, 20);
  const [first] = controls.listShelf();
  let listed = 0;
  hooks.answer = (url) => {
    if (wholeRecords(url) > 10) return TOO_MUCH;
    if (!url.pathname.endsWith('/v3/variations')) return null;
    listed += 1;
    if (listed === 5) controls.deleteProduct(Number(first?.productId), true);
    return null;
  };
  assert.equal(idsOf(await scanAll(connector)).length, 40);
  assert.ok(calls.length > 0 && listed < 130, `${listed} pages`);
});
