import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { stampMeta } from './marks.ts';
import { create, openStore, update, variant } from './open-store.test.ts';

const PAGE = { status: 403, headers: {}, body: new TextEncoder().encode('<h1>Forbidden</h1><p>ModSecurity</p>') };
const ATTACK = '<p>Select one from our range</p>';
const named = (title: string, descriptionHtml: string) =>
  create({ title, descriptionHtml, handle: title.toLowerCase() }, [variant()], `prd_${title}`);

/** A firewall that takes offence at a text. */
async function openGuarded(isShut: (body: string) => boolean = (body) => body.includes('Select one from')) {
  const store = await openStore();
  store.hooks.answer = (_path, body) => (body !== undefined && isShut(JSON.stringify(body)) ? PAGE : null);
  return store;
}

test('[C7] a product whose text a firewall does not let through fails alone, and its description is told of', async () => {
  const { connector, controls } = await openGuarded();
  const outcomes = await connector.writeProducts([
    ...['A', 'B', 'C'].map((title) => named(title, '<p>x</p>')),
    named('D', ATTACK),
    named('E', '<p>x</p>'),
  ]);
  assert.deepEqual(
    outcomes.map(({ ok }) => ok),
    [true, true, true, false, true],
  );
  const refused = outcomes[3];
  assert.ok(refused && !refused.ok);
  const { kind, details } = refused.error;
  assert.deepEqual([kind, details.field, details.httpStatus], ['rejected', 'descriptionHtml', 403]);
  assert.match(details.platformMessage ?? '', /firewall/);
  assert.match(details.remedy ?? '', /wp-json/);
  assert.deepEqual(
    controls
      .listShelf()
      .map(({ title }) => title)
      .toSorted(),
    ['A', 'B', 'C', 'E'],
  );
});

test('[C8] what a firewall turns away by its answer was made: it is sent no second time, whatever else is in its batch, and is found by its mark', async () => {
  const store = await openStore();
  let isMute = false;
  store.hooks.answer = async (path, body) => {
    if (body === undefined) return isMute ? PAGE : null;
    if (!JSON.stringify(body).includes('Select one from')) return null;
    if (!isMute) await store.call('POST', path.replace('/wp-json/wc/v3', ''), body);
    return PAGE;
  };
  const write = async (title: string) => {
    const outcomes = await store.connector.writeProducts([named(title, '<p>x</p>'), named(`${title}2`, ATTACK)]);
    return outcomes.map((outcome) => (outcome.ok ? 'made' : outcome.error.kind));
  };
  const titles = () => store.controls.listShelf().map(({ title }) => title);
  assert.deepEqual(await write('A'), ['unknown_outcome', 'unknown_outcome']);
  assert.deepEqual(titles().toSorted(), ['A', 'A2']);
  const found = await store.connector.findByMark({ pairId: 'pair_1', hubId: 'prd_A2' }, 0);
  assert.equal(found?.fields.title, 'A2');
  // Nor where that can't be told.
  isMute = true;
  assert.deepEqual(await write('B'), ['unknown_outcome', 'unknown_outcome']);
});

test('an edit of one product goes on without the description that a firewall does not let through', async () => {
  const { connector, controls, read } = await openGuarded();
  const { productId } = controls.addProduct({ title: 'Mug', regularPrice: '5' });
  const seen = await read(productId);
  const write = (fields: { title?: string; descriptionHtml?: string }) =>
    connector.writeProducts([update(seen, { fields })]);
  const [both] = await write({ title: 'Cup', descriptionHtml: ATTACK });
  assert.ok(both && !both.ok && both.error.details.field === 'descriptionHtml');
  assert.equal((await write({ title: 'Cup' }))[0]?.ok, true);
  assert.equal((await read(productId)).fields.title, 'Cup');
});

test('where a firewall lets no write through, or not for a moment, nothing is given up', async () => {
  const shut = await openGuarded(() => true);
  const outcomes = await shut.connector.writeProducts([named('A', ATTACK), named('B', ATTACK)]);
  assert.deepEqual(
    outcomes.map((outcome) => !outcome.ok && outcome.error.kind),
    ['unavailable', 'unavailable'],
  );
  assert.equal(shut.sent.length, 2, 'one question more tells that');
  let left = 1;
  const moment = await openGuarded(() => left-- > 0);
  const [outcome] = await moment.connector.writeProducts([named('A', ATTACK)]);
  assert.equal(outcome?.ok, true);
});

test('stock is no text: what a firewall turns away of it may have been done, is tried on, and says who is in the way', async () => {
  const { connector, controls, sent } = await openGuarded((body) => body.includes('meta_data'));
  const ids = ['Mug', 'Cup'].map((title) => controls.addProduct({ title, stock: 5 }).productId);
  const write = () =>
    connector.writeStock(ids.map((id) => ({ stockId: `p:${id}`, expected: 5, to: 4, key: `k${id}` })));
  const outcomes = await write();
  for (const outcome of outcomes) {
    assert.ok(outcome.outcome === 'failed' && outcome.error.kind === 'unknown_outcome');
    assert.match(outcome.error.message, /^a firewall .*status 403.*wp-json\/wc\/v3/);
  }
  assert.equal(sent.length, 4, 'two refusals, and each time one question that tells whom it is about');
  await write();
  assert.equal(sent.length, 6, 'what stays so is refused once at a time');
});

/** Two items of 5 are to be set to 4; what stands in the way does it once. */
async function setStock(
  inTheWay: (store: Awaited<ReturnType<typeof openStore>>, ids: readonly number[]) => unknown,
  status = 403,
) {
  const store = await openStore();
  const ids = ['Mug', 'Cup'].map((title) => store.controls.addProduct({ title, stock: 5 }).productId);
  let left = 1;
  store.hooks.answer = async (_path, body) => {
    if (!JSON.stringify(body ?? '').includes('meta_data') || left-- <= 0) return null;
    await inTheWay(store, ids);
    return { ...PAGE, status };
  };
  const writes = ids.map((id) => ({ stockId: `p:${id}`, expected: 5, to: 4, key: `k${id}` }));
  const outcomes = await store.connector.writeStock(writes);
  const items = store.sent.flatMap(({ body }) => (body as { update?: unknown[] }).update?.length ?? []);
  return { kinds: outcomes.map((one) => (one.outcome === 'failed' ? one.error.kind : one.outcome)), items };
}

test('[W8] stock that a firewall turns away for a moment is sent once more, but for what was set, has moved, or may yet be set', async () => {
  const moment = await setStock(() => undefined);
  assert.deepEqual(moment, { kinds: ['applied', 'applied'], items: [2, 2] });
  const moved = await setStock(({ call }, [mug]) => call('PUT', `/products/${mug}`, { stock_quantity: 3 }));
  assert.deepEqual(moved, { kinds: ['unknown_outcome', 'applied'], items: [2, 1] });
  // By a rule that looks at answers.
  const done = await setStock(({ call }, ids) =>
    call('POST', '/products/batch', {
      update: ids.map((id) => ({ id, stock_quantity: 5, meta_data: [stampMeta(`k${id}`)] })),
    }),
  );
  assert.deepEqual(done, { kinds: ['unknown_outcome', 'unknown_outcome'], items: [2] });
  const late = await setStock(() => undefined, 408);
  assert.deepEqual(late, { kinds: ['unknown_outcome', 'unknown_outcome'], items: [2] });
});

test('[C14] the doctor names a firewall that turns away the search by SKU, and sends no write to find one out', async () => {
  const store = await openStore();
  const errors = async () => (await store.connector.inspect()).findings.filter(({ level }) => level === 'error');
  assert.deepEqual(await errors(), []);
  store.hooks.answer = (_path, _body, query) => (query?.has('sku') ? PAGE : null);
  const [finding, ...others] = await errors();
  assert.deepEqual(others, []);
  assert.equal(finding?.code, 'SEARCH_BLOCKED');
  assert.match(finding?.message ?? '', /firewall.*\/wp-json\/wc\/v3/);
  assert.match(finding?.remedy ?? '', /address of this server/);
  // A batch of nothing asks for permission.
  assert.deepEqual(
    store.sent.filter(({ path, body }) => path === '/products/batch' && JSON.stringify(body) !== '{}'),
    [],
  );
});

test('a search that a firewall turns away is refused in words, and asked again a quarter of an hour later', async () => {
  const store = await openStore();
  const { productId } = store.controls.addProduct({ title: 'Mug', sku: 'MUG', stock: 5 });
  let asked = 0;
  let isShut = (sku: string): boolean => sku !== '';
  store.hooks.answer = (_path, _body, query) => {
    const sku = query?.get('sku') ?? '';
    asked += sku === '' ? 0 : 1;
    return isShut(sku) ? PAGE : null;
  };
  const find = (sku: string) => store.connector.findByKeys([`sku:${sku.toLowerCase()}`]);
  const refusal = (words: RegExp) => (error: unknown) =>
    error instanceof ConnectorError && error.kind === 'rejected' && words.test(error.message);
  await assert.rejects(find('MUG'), refusal(/firewall.* the search for products by their SKU .*\?sku=.*left alone/));
  await assert.rejects(find('CUP'), refusal(/the search for products by their SKU/));
  assert.equal(asked, 3, 'the second is not asked');
  await store.clock.sleep(16 * 60_000);
  isShut = (sku) => sku.includes('or 1=1');
  await assert.rejects(find('1 or 1=1'), refusal(/the search for the SKU “1 or 1=1”/));
  await assert.rejects(find('1 or 1=1'), refusal(/the search for the SKU “1 or 1=1”/));
  assert.deepEqual(
    (await find('MUG')).map(({ externalId }) => externalId),
    [String(productId)],
  );
  isShut = () => true;
  await assert.rejects(find('CUP'), (error) => error instanceof ConnectorError && error.kind === 'unavailable');
});

test('a search that is turned away once and let through the next moment is answered, and what fails otherwise meanwhile shuts nothing', async () => {
  const store = await openStore();
  const { productId } = store.controls.addProduct({ title: 'Mug', sku: 'MUG', stock: 5 });
  let answers: (typeof PAGE)[] = [];
  store.hooks.answer = (_path, _body, query) => (query?.has('sku') ? (answers.shift() ?? null) : null);
  const find = async () => (await store.connector.findByKeys(['sku:mug'])).map(({ externalId }) => externalId);
  answers = [PAGE];
  assert.deepEqual(await find(), [String(productId)]);
  // What could not be asked tells of no firewall.
  answers = [PAGE, ...Array.from({ length: 3 }, () => ({ ...PAGE, status: 503 }))];
  await assert.rejects(find(), (error) => error instanceof ConnectorError && error.kind === 'unavailable');
  assert.deepEqual(await find(), [String(productId)]);
  answers = [PAGE, PAGE, ...Array.from({ length: 3 }, () => ({ ...PAGE, status: 503 }))];
  await assert.rejects(find(), (error) => error instanceof ConnectorError && error.kind === 'unavailable');
  assert.deepEqual(await find(), [String(productId)]);
});

test('which of a hundred products it is costs few refusals: some hosts shut an address out after five', async () => {
  for (const place of [0, 57, 99]) {
    let refusals = 0;
    const { connector } = await openGuarded((body) => {
      const isShut = body.includes('Select one from');
      refusals += isShut ? 1 : 0;
      return isShut;
    });
    const titles = Array.from({ length: 100 }, (_, index) => `P${index}`);
    const outcomes = await connector.writeProducts(
      titles.map((title, index) => named(title, index === place ? ATTACK : '<p>x</p>')),
    );
    assert.deepEqual(
      outcomes.flatMap(({ ok }, index) => (ok ? [] : [index])),
      [place],
    );
    assert.equal(refusals, 4, 'of all, of ten, and twice of the one');
  }
});
