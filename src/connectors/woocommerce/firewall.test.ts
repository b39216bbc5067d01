import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('stock is no text: its writes are tried again for as long as it takes', async () => {
  const { connector, controls } = await openGuarded((body) => body.includes('stock_quantity'));
  const { productId } = controls.addProduct({ title: 'Mug', stock: 5 });
  const [outcome] = await connector.writeStock([{ stockId: `p:${productId}`, expected: 5, to: 4, key: 'k' }]);
  assert.ok(outcome?.outcome === 'failed' && outcome.error.kind === 'unavailable');
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
