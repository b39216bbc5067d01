import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductWrite } from '../../ports/connector.ts';
import { createFaults } from './contract-faults.test.ts';
import { connectTo, createOf, updateOf, variant, written } from './integration-support.test.ts';
import { createInProcessShop } from './sandbox-support.test.ts';
import { jsonResponse } from './test-support.ts';

test('a create sent twice makes one product, visible in the online store; a draft is published when it goes live', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const publishedAt = async (id: string) => {
    const data = (await shop.graphql('query($id: ID!) { product(id: $id) { publishedAt } }', { id })) as unknown as {
      product: { publishedAt: string | null };
    };
    return data.product.publishedAt;
  };
  const first = await written(connector, createOf(1));
  const second = await written(connector, createOf(1));
  assert.equal(second.externalId, first.externalId);
  assert.equal(new Set(shop.sandbox.controls.listShelf().map(({ productId }) => productId)).size, 1);
  assert.notEqual(await publishedAt(first.externalId), null);

  const draft = await written(connector, createOf(2, { status: 'draft' }));
  assert.equal(await publishedAt(draft.externalId), null);
  await written(connector, updateOf(draft, { fields: { status: 'active' } }));
  assert.notEqual(await publishedAt(draft.externalId), null);
  await shop.close();
});

for (const status of ['active', 'unlisted'] as const)
  for (const [lost, when] of [1, 2, 3].flatMap((n) => [[n, 'before'] as const, [n, 'after'] as const]))
    test(`[C8] whichever answer is lost (of write ${lost}, ${when} it landed), what is for sale (${status}) is in the online store, and the rest is a draft that is finished`, async () => {
      const shop = createInProcessShop();
      const faults = createFaults({
        ...shop,
        sleep: (ms) => shop.time.sleep(ms),
        throttled: () => null,
      });
      const whole = connectTo(shop);
      // Whoever settles it may be another process than the one that sent it.
      const cut = async (write: ProductWrite) => {
        faults.controls.inject({ type: 'connection_lost', when }, { on: 'write', times: 1, skip: lost - 1 });
        const [outcome] = await connectTo(shop, { transport: faults.transport }).writeProducts([write]);
        if (outcome?.ok === false) assert.equal(outcome.error.kind, 'unknown_outcome');
      };
      const lookFor = async (create: ReturnType<typeof createOf>) => {
        const found = await whole.findByMark(create.mark, 0);
        if (found === null) return null;
        if (found.fields.status !== 'draft')
          assert.equal(found.withheld, undefined, 'it is for sale where nobody sees it');
        return found;
      };
      await written(whole, createOf(0));
      const create = createOf(1, { status });
      await cut(create);
      const half = await lookFor(create);
      if (half === null) await written(whole, create);
      else if (half.fields.status === 'draft') await written(whole, updateOf(half, { fields: { status } }));
      assert.equal((await lookFor(create))?.fields.status, status);

      const draft = createOf(2, { status: 'draft' });
      await cut(updateOf(await written(whole, draft), { fields: { status } }));
      const left = await lookFor(draft);
      if (left?.fields.status === 'draft') await written(whole, updateOf(left, { fields: { status } }));
      assert.equal((await lookFor(draft))?.fields.status, status);
      await shop.close();
    });

test('a handle that surely another product has is left to Shopify: the create goes through, once', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const first = await written(connector, createOf(1, { title: 'Mug', handle: 'mug' }));
  const second = await written(connector, createOf(2, { title: 'Mug', handle: 'mug' }));
  assert.notEqual(second.externalId, first.externalId);
  assert.deepEqual([first.fields.handle, second.fields.handle], ['mug', 'mug-1']);
  const again = await written(connector, createOf(2, { title: 'Mug', handle: 'mug' }));
  assert.equal(again.externalId, second.externalId);
  assert.equal(new Set(shop.sandbox.controls.listShelf().map(({ productId }) => productId)).size, 2);
  await shop.close();
});

test('a handle that is taken is known by the words at its field, where no code or a general one comes with them', async () => {
  for (const [code, message] of [
    [null, "Handle 'mug' already in use. Please provide a new handle."],
    ['TAKEN', 'Handle has already been taken'],
  ]) {
    const shop = createInProcessShop();
    const connector = connectTo(shop, {
      transport: async (request) => {
        const response = await shop.transport(request);
        const text = new TextDecoder().decode(response.body);
        if (!text.includes('HANDLE_NOT_UNIQUE')) return response;
        const body = JSON.parse(text) as { data: { productSet: object } };
        const userErrors = [{ field: ['input', 'handle'], message, code }];
        return jsonResponse({ ...body, data: { productSet: { ...body.data.productSet, userErrors } } });
      },
    });
    await written(connector, createOf(1, { title: 'Mug', handle: 'mug' }, [variant([], 7, { sku: 'M-1' })]));
    const second = await written(
      connector,
      createOf(2, { title: 'Mug', handle: 'mug' }, [variant([], 7, { sku: 'M-2' })]),
    );
    assert.equal(second.fields.handle, 'mug-1');
    await shop.close();
  }
});

test('what has the handle and may be the same product, typed in by hand, is never doubled: the create is refused and names it', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const { id } = (
    (await shop.graphql(
      'mutation { productSet(input: { title: "Mug", handle: "mug", productOptions: [{ name: "Title", values: [{ name: "Default Title" }] }], variants: [{ sku: "MUG-1", optionValues: [{ optionName: "Title", name: "Default Title" }] }] }) { product { id } userErrors { message } } }',
      {},
    )) as unknown as { productSet: { product: { id: string } } }
  ).productSet.product;
  for (const sku of ['MUG-1', 'mug-1', ' MUG-1 ', '', ' ']) {
    const write = createOf(1, { title: 'Mug', handle: 'mug' }, [variant([], 7, { sku })]);
    const [outcome] = await connector.writeProducts([write]);
    assert.ok(outcome && !outcome.ok && outcome.error.kind === 'rejected');
    assert.equal(outcome.error.details.conflictingId, id);
  }
  const [outcome] = await connector.writeProducts([
    createOf(1, { title: 'Mug', handle: 'mug' }, [variant([], 7, { sku: 'MUG-2' })]),
  ]);
  assert.ok(outcome?.ok);
  await shop.close();
});

test('without the scope to publish a product is created all the same, and the doctor says so', async () => {
  const shop = createInProcessShop({ scopes: ['write_products', 'write_inventory', 'read_locations'] });
  const connector = connectTo(shop);
  assert.equal((await written(connector, createOf(1))).fields.status, 'active');
  const { info, findings } = await connector.inspect();
  assert.ok(info);
  const codes = findings.filter(({ level }) => level === 'warning').map(({ code }) => code);
  assert.deepEqual(codes, ['SCOPE_MISSING_READ_PUBLICATIONS', 'SCOPE_MISSING_WRITE_PUBLICATIONS']);
  await shop.close();
});

test('what is put on sale is in the online store after its channel was removed and added again, and the doctor sees that there is none', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const { controls } = shop.sandbox;
  const codes = async () => (await connectTo(shop).inspect()).findings.map(({ code }) => code);
  assert.equal((await written(connector, createOf(1))).withheld, undefined);
  const draft = await written(connector, createOf(2, { status: 'draft' }));
  controls.removeOnlineStore();
  assert.ok((await codes()).includes('ONLINE_STORE_MISSING'), 'whoever else has tried to publish something, or not');
  controls.addOnlineStore();
  assert.ok(!(await codes()).includes('ONLINE_STORE_MISSING'));
  assert.equal((await written(connector, createOf(3))).withheld, undefined);
  const live = await written(connector, updateOf(draft, { fields: { status: 'active' } }));
  assert.deepEqual([live.fields.status, live.withheld], ['active', undefined]);
  await shop.close();
});

test('what the online store refuses stays a draft, and its other fields are told apart from that', async () => {
  const shop = createInProcessShop();
  const { transport } = shop;
  const connector = connectTo(shop, {
    transport: async (request) => {
      const { query = '' } = JSON.parse(String(request.body ?? '{}')) as { query?: string };
      if (!query.includes('publishablePublish')) return transport(request);
      const userErrors = [{ field: ['input', '0', 'publicationId'], message: 'Product cannot be published' }];
      return jsonResponse({ data: { publishablePublish: { userErrors } } });
    },
  });
  const create = createOf(1);
  const [made] = await connector.writeProducts([create]);
  assert.ok(made?.ok === false && made.error.kind === 'unknown_outcome');
  const half = await connector.findByMark(create.mark, 0);
  assert.ok(half !== null);
  assert.equal(half.fields.status, 'draft');
  const [live] = await connector.writeProducts([updateOf(half, { fields: { status: 'active' } })]);
  assert.ok(live?.ok === false && live.error.kind === 'rejected');
  assert.deepEqual(
    [live.error.details.field, (await connector.findByMark(create.mark, 0))?.fields.status],
    ['status', 'draft'],
  );
  assert.match(live.error.message, /Online Store.*cannot be published/);
  await shop.close();
});

test('options: names and values are renamed in place, values change for one variant, an option is added', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const before = await written(connector, createOf(1, { optionNames: ['Size'] }, [variant(['M']), variant(['L'])]));
  const [m, l] = before.variants;
  assert.ok(m && l);

  const renamed = await written(
    connector,
    updateOf(before, {
      fields: { optionNames: ['Größe'] },
      variants: [{ externalId: m.externalId, fields: { optionValues: ['Medium'] } }],
    }),
  );
  assert.deepEqual(renamed.fields.optionNames, ['Größe']);
  assert.deepEqual(
    renamed.variants.map(({ externalId, fields }) => [externalId, fields.optionValues]),
    [
      [m.externalId, ['Medium']],
      [l.externalId, ['L']],
    ],
  );

  const swapped = await written(
    connector,
    updateOf(renamed, {
      variants: [
        { externalId: m.externalId, fields: { optionValues: ['XL'] } },
        { externalId: l.externalId, fields: { optionValues: ['Medium'] } },
      ],
    }),
  );
  assert.deepEqual(swapped.variants.map(({ fields }) => fields.optionValues).sort(), [['Medium'], ['XL']]);

  const widened = await written(
    connector,
    updateOf(swapped, {
      fields: { optionNames: ['Größe', 'Farbe'] },
      variants: [
        { externalId: m.externalId, fields: { optionValues: ['XL', 'Rot'] } },
        { externalId: l.externalId, fields: { optionValues: ['Medium', 'Blau'] } },
      ],
      newVariants: [variant(['XL', 'Blau'], 3)],
    }),
  );
  assert.deepEqual(widened.fields.optionNames, ['Größe', 'Farbe']);
  const byId = new Map(widened.variants.map(({ externalId, fields }) => [externalId, fields.optionValues]));
  assert.deepEqual(
    [byId.get(m.externalId), byId.get(l.externalId), widened.variants.length],
    [['XL', 'Rot'], ['Medium', 'Blau'], 3],
  );

  const [outcome] = await connector.writeProducts([updateOf(widened, { fields: { optionNames: ['Größe'] } })]);
  assert.ok(
    outcome && !outcome.ok && outcome.error.kind === 'rejected' && outcome.error.details.field === 'optionNames',
  );
  await shop.close();
});

test('a product without options gets one, and keeps its variant and its stock', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const before = await written(connector, createOf(1));
  const [only] = before.variants;
  assert.ok(only);
  const after = await written(
    connector,
    updateOf(before, {
      fields: { optionNames: ['Size'] },
      variants: [{ externalId: only.externalId, fields: { optionValues: ['S'] } }],
      newVariants: [variant(['M'], 2)],
    }),
  );
  assert.deepEqual(
    after.variants.map(({ fields, stock }) => [fields.optionValues, stock.quantity]),
    [
      [['S'], 7],
      [['M'], 2],
    ],
  );
  assert.equal(after.variants[0]?.externalId, only.externalId);
  await shop.close();
});

test('a product with more variants than a page is read complete', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const many = Array.from({ length: 450 }, (_, index) =>
    variant([`S${index % 25}`, `C${Math.floor(index / 25)}`], index),
  );
  const created = await written(connector, createOf(1, { optionNames: ['Size', 'Colour'] }, many));
  assert.deepEqual(
    created.variants.map(({ stock }) => stock.quantity),
    many.map(({ stock }) => stock.quantity),
  );
  await shop.close();
});

test('[C27] a change that Shopify lets wait is not sent once it may not leave any more; one whose first step has left goes on', async () => {
  const shop = createInProcessShop();
  const asked: string[] = [];
  let strained = { operation: '', work: new AbortController() };
  const connector = connectTo(shop, {
    transport: async (request) => {
      const { operationName } = JSON.parse(String(request.body)) as { operationName: string };
      asked.push(operationName);
      if (operationName !== strained.operation || strained.work.signal.aborted) return shop.transport(request);
      strained.work.abort();
      return jsonResponse({}, 429, { 'retry-after': '20' });
    },
  });
  const seen = await written(connector, createOf(1));
  const [only] = seen.variants;
  assert.ok(only);
  const price = { regularMinor: 2000, saleMinor: null };
  const write = updateOf(seen, {
    fields: { title: 'New' },
    variants: [{ externalId: only.externalId, fields: { price } }],
  });
  const writeStrained = async (operation: string) => {
    asked.length = 0;
    strained = { operation, work: new AbortController() };
    const [outcome] = await connector.writeProducts([write], strained.work.signal, new AbortController().signal);
    assert.ok(outcome);
    return outcome;
  };
  const given = await writeStrained('VariantsUpdate');
  assert.equal(!given.ok && given.error.kind, 'unavailable');
  assert.deepEqual(asked, ['VariantsUpdate']);
  const done = await writeStrained('ProductUpdate');
  assert.equal(done.ok && done.snapshot.fields.title, 'New');
  assert.deepEqual(asked, ['VariantsUpdate', 'ProductUpdate', 'ProductUpdate', 'ProductsById']);
  await shop.close();
});

test('[C8] a write that was made and fails to be shown afterwards may have happened, and is never told as if it had not', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop, {
    transport: async (request) => {
      const response = await shop.transport(request);
      if (!String(request.body).includes('"operationName":"ProductsById"')) return response;
      const body = JSON.parse(new TextDecoder().decode(response.body)) as { data: { nodes: unknown[] } };
      const errors = [{ message: 'Internal error', path: ['nodes', 0], extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
      return jsonResponse({ ...body, data: { ...body.data, nodes: [null] }, errors });
    },
  });
  const [outcome] = await connector.writeProducts([createOf(1)]);
  assert.ok(outcome && !outcome.ok);
  assert.equal(outcome.error.kind, 'unknown_outcome');
  await shop.close();
});
