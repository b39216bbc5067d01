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
    // A hundred go together once fewer have come back quickly.
    await connector.writeProducts(Array.from({ length: 75 }, (_, index) => named(`Q${index}`, '<p>x</p>')));
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

/** A firewall that takes offence at searches, with what was asked by SKU and how often it turned that away. */
async function openSearched(isShut: (skus: string) => boolean) {
  const store = await openStore();
  const seen = { asked: 0, refused: 0 };
  const rule = { isShut };
  store.hooks.answer = (_path, _body, query) => {
    const skus = query?.get('sku') ?? '';
    if (skus === '') return null;
    seen.asked += 1;
    if (!rule.isShut(skus)) return null;
    seen.refused += 1;
    return PAGE;
  };
  const find = async (skus: readonly string[]) => {
    const before = { ...seen };
    const keys = skus.map((sku) => `sku:${sku}` as const);
    const outcome = await store.connector.findByKeys(keys).then(
      (found) => ({ found: found.map(({ externalId }) => externalId), key: null, message: '', kind: null }),
      (error: unknown) => {
        assert.ok(error instanceof ConnectorError);
        const { kind, message, details } = error;
        return { found: [], key: details.unsearched ?? null, message, kind };
      },
    );
    return { ...outcome, asked: seen.asked - before.asked, refused: seen.refused - before.refused };
  };
  return { ...store, find, rule, seen };
}

const HUNDRED = Array.from({ length: 89 }, (_, index) => `sku-${index}`);
const ODD = '1 or 1=1';

test('[C33] which SKU of a search a firewall takes offence at is found after four refusals, and the others are found in one request from then on', async () => {
  for (const place of [0, 41, 89]) {
    const { find, controls, clock, rule } = await openSearched((skus) => skus.includes(ODD));
    const { productId } = controls.addProduct({ title: 'Mug', sku: 'SKU-7', stock: 5 });
    const all = HUNDRED.toSpliced(place, 0, ODD);
    const first = await find(all);
    assert.deepEqual([first.kind, first.key, first.refused], ['rejected', `sku:${ODD}`, 4]);
    assert.match(first.message, /the search for the SKU “1 or 1=1”/);
    assert.ok(first.asked <= 25, `${first.asked} requests`);
    const again = await find(all);
    assert.deepEqual([again.key, again.asked], [`sku:${ODD}`, 0]);
    const others = await find(HUNDRED);
    assert.deepEqual([others.found, others.asked], [[String(productId)], 1]);
    // It is asked for by itself from then on: once, and ever more seldom.
    await clock.sleep(16 * 60_000);
    const later = await find(all);
    assert.deepEqual([later.key, later.refused], [`sku:${ODD}`, 1]);
    await clock.sleep(16 * 60_000);
    assert.equal((await find(all)).asked, 0);
    rule.isShut = () => false;
    await clock.sleep(16 * 60_000);
    const free = await find(all);
    assert.deepEqual([free.found, free.asked], [[String(productId)], 2]);
    assert.equal((await find(all)).asked, 1);
  }
});

test('[C33] a firewall that takes offence at every SKU but a harmless one is not asked without end', async () => {
  const { find, clock } = await openSearched((skus) => skus.includes('sku-'));
  const first = await find(HUNDRED);
  assert.deepEqual([first.kind, first.key], ['rejected', null]);
  assert.match(first.message, /the search for products by many SKUs/);
  assert.ok(first.refused <= 21, `${first.refused} refusals`);
  assert.equal((await find(HUNDRED)).asked, 0);
  assert.equal((await find(['other'])).asked, 0);
  let refusals = 0;
  for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
    await clock.sleep(5 * 60_000);
    refusals += (await find(HUNDRED)).refused;
  }
  assert.ok(refusals <= 24 * 4 * 21, `${refusals} refusals in a day`);
});

test('[C33] dozens of SKUs that a firewall takes offence at are found in time, few at a time, and the others are found beside them', async () => {
  const { find, controls, clock } = await openSearched((skus) => /odd-/.test(skus));
  const { productId } = controls.addProduct({ title: 'Mug', sku: 'SKU-88', stock: 5 });
  const all = HUNDRED.map((sku, index) => (index % 2 === 0 && index < 80 ? `odd-${index}` : sku));
  let found: readonly string[] = [];
  const perPause: number[] = [];
  for (let minutes = 0; minutes < 6 * 60; minutes += 5) {
    await clock.sleep(5 * 60_000);
    if (minutes % 15 === 0) perPause.push(0);
    found = [];
    // As the engine does: without what is named, as long as something is.
    for (let rest: readonly string[] = all; ; ) {
      const outcome = await find(rest);
      perPause[perPause.length - 1]! += outcome.refused;
      found = outcome.found;
      if (outcome.key === null) break;
      rest = rest.filter((sku) => `sku:${sku}` !== outcome.key);
    }
  }
  assert.deepEqual(found, [String(productId)]);
  assert.ok(Math.max(...perPause) <= 40, `${perPause}`);
  assert.ok(
    perPause.slice(-8).every((refused) => refused <= 20),
    `${perPause}`,
  );
});

test('[C33] a firewall that turns away many SKUs at once, and none by itself, is asked for fewer at a time', async () => {
  const { find, controls } = await openSearched((skus) => skus.length > 100);
  const { productId } = controls.addProduct({ title: 'Mug', sku: 'SKU-7', stock: 5 });
  const first = await find(HUNDRED);
  assert.deepEqual([first.found, first.refused], [[String(productId)], 2]);
  const second = await find(HUNDRED);
  assert.deepEqual([second.found, second.refused, second.asked], [[String(productId)], 0, 10]);
});

test('a firewall that shuts everything while it is asked which SKU it is about blames none', async () => {
  let left = 12;
  const store = await openSearched((skus) => skus.includes(ODD) || left-- <= 0);
  const { kind, key } = await store.find([...HUNDRED, ODD]);
  assert.deepEqual([kind, key], ['unavailable', null]);
});

test('[C33] what is put off until the pause is over is not taken for searched where the others take until then', async () => {
  const store = await openSearched((skus) => /odd/.test(skus));
  const { find, clock, hooks } = store;
  assert.equal((await find(['odd'])).key, 'sku:odd');
  await clock.sleep(16 * 60_000);
  // Eleven refusals of the next pause leave no more than nine for what is known.
  const dozen = Array.from({ length: 9 }, (_, index) => `odd-${index}`);
  assert.ok((await find(dozen)).refused >= 11);
  await clock.sleep(15 * 60_000 - 30_000);
  const answer = hooks.answer;
  hooks.answer = async (path, body, query) => {
    if (query?.has('sku')) await clock.sleep(30_000);
    return answer?.(path, body, query) ?? null;
  };
  assert.equal((await find(['odd', ...HUNDRED.slice(0, 5)])).key, 'sku:odd');
});

test('[C33] what another search found to be let through meanwhile is not taken for searched by this one', async () => {
  const { find, clock, hooks } = await openSearched((skus) => skus.includes(ODD));
  assert.equal((await find([ODD])).key, `sku:${ODD}`);
  await clock.sleep(16 * 60_000);
  // Of two at once the first is turned away, and the second is let through while the first goes on with the others.
  let times = 0;
  let goOn: () => void = () => undefined;
  const isRefused = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  hooks.answer = async (_path, _body, query) => {
    const sku = query?.get('sku') ?? '';
    if (sku === ODD) {
      times += 1;
      if (times === 1) return PAGE;
      await isRefused;
    }
    if (sku === 'sku-1') {
      goOn();
      for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
    }
    return null;
  };
  const [first, second] = await Promise.all([find([ODD, 'sku-1']), find([ODD])]);
  assert.deepEqual([first.key, second.kind], [`sku:${ODD}`, null]);
});

test('[P2] what is held back is asked for again at once where a person wants it tried, and within what it may be turned away', async () => {
  const store = await openSearched((skus) => skus.includes('odd'));
  const { find, rule, connector } = store;
  assert.equal((await find(['odd', ...HUNDRED.slice(0, 5)])).key, 'sku:odd');
  for (let times = 0; times < 40; times += 1) {
    connector.askAgain?.();
    await find(['odd']);
  }
  assert.ok(store.seen.refused <= 20, `${store.seen.refused} refusals`);
  await store.clock.sleep(16 * 60_000);
  rule.isShut = (skus) => skus.includes('sku-');
  assert.equal((await find(['sku-1'])).key, 'sku:sku-1');
  rule.isShut = () => false;
  assert.equal((await find(['sku-1'])).asked, 0);
  connector.askAgain?.();
  assert.deepEqual([(await find(['sku-1'])).kind, store.seen.refused <= 22], [null, true]);
});
