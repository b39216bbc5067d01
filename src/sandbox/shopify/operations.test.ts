import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestStore } from './test-store.ts';

/** Every recorded operation about the shop, products, stock, webhooks and bulk runs here as it stands. */

test('the operations of a connector run without a single error', async () => {
  const store = createTestStore({ unthrottled: true });
  const { run, sandbox, advance } = store;
  const locationId = store.locationId();
  sandbox.controls.seed(3, 2);
  const shelf = sandbox.controls.listShelf();
  const [first, second] = shelf;
  assert.ok(first && second);
  const seen = new Set<string>();

  const ok = async (operation: string, variables: Record<string, unknown> = {}) => {
    seen.add(operation);
    const { status, body } = await run(operation, variables);
    assert.equal(status, 200, operation);
    assert.equal(body.errors, undefined, `${operation}: ${JSON.stringify(body.errors)}`);
    const root = Object.values(body.data as Record<string, { userErrors?: unknown[] } | null>)[0];
    assert.deepEqual(root?.userErrors ?? [], [], operation);
    assert.notEqual(root, undefined, operation);
    assert.ok(
      body.extensions.cost.actualQueryCost <= body.extensions.cost.requestedQueryCost,
      `${operation} costs more than asked`,
    );
    return body.data;
  };

  await ok('access-scopes');
  await ok('shop-info');
  assert.equal((await ok('locations')).locations.nodes.length, 1);
  const publicationId = (await ok('publications')).publications.nodes[0].id;
  await ok('collections-page');

  await ok('metafield-definition-create', {
    definition: { name: 'Woo id', namespace: 'twinshelf', key: 'woo_id', ownerType: 'PRODUCT', type: 'id' },
  });
  assert.equal(
    (await ok('metafield-definitions', { ownerType: 'PRODUCT' })).metafieldDefinitions.nodes[0].capabilities
      .uniqueValues.enabled,
    true,
  );
  const set = await ok('product-set', {
    identifier: { customId: { namespace: 'twinshelf', key: 'woo_id', value: '77' } },
    input: {
      title: 'Set by custom id',
      files: [{ originalSource: 'https://example.com/a.jpg', alt: 'a', contentType: 'IMAGE' }],
    },
  });
  const productId = set.productSet.product.id;
  assert.equal(
    (
      await ok('product-by-identifier', {
        identifier: { customId: { namespace: 'twinshelf', key: 'woo_id', value: '77' } },
      })
    ).productByIdentifier.id,
    productId,
  );
  const asynchronous = await ok('product-set', {
    identifier: { id: productId },
    input: { title: 'Later' },
    synchronous: false,
  });
  await advance(1_000);
  const operation = await ok('product-operation', { id: asynchronous.productSet.productSetOperation.id });
  assert.equal(operation.productOperation.status, 'COMPLETE');
  assert.equal(operation.productOperation.product.id, productId);

  assert.equal((await ok('product-by-id', { id: first.productId })).product.variants.nodes.length, 2);
  assert.equal((await ok('products-page', { locationId, first: 10 })).products.nodes.length, 4);
  assert.equal((await ok('products-scan')).products.nodes.length, 4);
  await ok('products-changed-since', { query: "updated_at:>='2020-01-01T00:00:00Z'" });
  await ok('products-by-ids', { ids: [first.productId, 'gid://shopify/Product/1'] });
  await ok('products-by-ids-full', { ids: [first.productId] });
  await ok('variants-by-sku', { query: `sku:'${first.sku}'` });
  await ok('variant-by-identifier', { identifier: { id: first.variantId } });
  await ok('product-update', { product: { id: first.productId, title: 'Renamed' } });
  await ok('product-archive', { id: first.productId });
  await ok('tags-add', { id: first.productId, tags: ['new'] });
  await ok('tags-remove', { id: first.productId, tags: ['new'] });
  await ok('publishable-unpublish', { id: first.productId, input: [{ publicationId }] });
  await ok('publishable-publish', { id: first.productId, input: [{ publicationId }] });
  const media = await ok('media-create', {
    productId: first.productId,
    media: [{ mediaContentType: 'IMAGE', originalSource: 'https://example.com/b.png', alt: 'b' }],
  });
  assert.equal(media.productUpdate.product.media.nodes[0].status, 'UPLOADED');
  await advance(1_000);
  assert.equal(
    (await ok('media-status', { ids: [media.productUpdate.product.media.nodes[0].id] })).nodes[0].status,
    'READY',
  );

  const created = await ok('product-variants-bulk-create', {
    productId: first.productId,
    variants: [{ optionValues: [{ optionName: 'Size', name: 'Size 9' }], price: '3', inventoryItem: { sku: 'NEW-9' } }],
  });
  const createdId = created.productVariantsBulkCreate.productVariants[0].id;
  await ok('product-variants-bulk-update', {
    productId: first.productId,
    variants: [{ id: createdId, price: '4.5', inventoryItem: { sku: 'NEW-9B' } }],
  });
  await ok('product-variants-bulk-delete', { productId: first.productId, variantsIds: [createdId] });
  await ok('product-options-create', {
    productId: first.productId,
    options: [{ name: 'Colour', values: [{ name: 'Red' }] }],
  });
  const optionId = (await ok('product-by-id', { id: first.productId })).product.options[0].id;
  await ok('product-option-update', { productId: first.productId, option: { id: optionId, name: 'Sizing' } });

  await ok('inventory-by-items', { ids: [first.inventoryItemId], locationId });
  await ok('inventory-item-update', { id: first.inventoryItemId, input: { tracked: true, cost: '1.5' } });
  await ok('inventory-set-quantities', {
    idempotencyKey: 'a',
    input: {
      name: 'available',
      reason: 'correction',
      quantities: [
        { inventoryItemId: first.inventoryItemId, locationId, quantity: 3, changeFromQuantity: first.available },
      ],
    },
  });
  await ok('inventory-adjust-quantities', {
    idempotencyKey: 'b',
    input: {
      name: 'available',
      reason: 'correction',
      changes: [{ inventoryItemId: first.inventoryItemId, locationId, delta: -1, changeFromQuantity: null }],
    },
  });
  await ok('inventory-activate', {
    idempotencyKey: 'c',
    inventoryItemId: first.inventoryItemId,
    locationId: sandbox.controls.addLocation('Second'),
  });
  assert.equal(
    (await ok('inventory-levels-changed-since', { locationId, query: "updated_at:>='2020-01-01T00:00:00Z'" })).location
      .inventoryLevels.nodes.length,
    7,
  );

  const metafield = {
    ownerId: first.productId,
    namespace: 'twinshelf',
    key: 'note',
    type: 'single_line_text_field',
    value: 'x',
  };
  await ok('metafields-set', { metafields: [metafield] });
  await ok('metafields-delete', {
    metafields: [{ ownerId: metafield.ownerId, namespace: metafield.namespace, key: metafield.key }],
  });

  const hook = await ok('webhook-subscription-create', {
    topic: 'PRODUCTS_UPDATE',
    webhookSubscription: { uri: 'https://example.com/hook' },
  });
  const hookId = hook.webhookSubscriptionCreate.webhookSubscription.id;
  await ok('webhook-subscription-update', { id: hookId, webhookSubscription: { uri: 'https://example.com/other' } });
  assert.equal((await ok('webhook-subscriptions')).webhookSubscriptions.nodes.length, 1);
  await ok('webhook-subscription-delete', { id: hookId });

  await ok('staged-uploads-create', {
    input: [
      { resource: 'BULK_MUTATION_VARIABLES', filename: 'vars.jsonl', mimeType: 'text/jsonl', httpMethod: 'POST' },
    ],
  });
  const bulk = await ok('bulk-operation-run-query', { query: '{ products { edges { node { id } } } }' });
  const bulkId = bulk.bulkOperationRunQuery.bulkOperation.id;
  await ok('bulk-operation-cancel', { id: bulkId });
  await advance(1_000);
  assert.equal((await ok('bulk-operation', { id: bulkId })).bulkOperation.status, 'CANCELED');
  await ok('bulk-operations');
  assert.deepEqual(await ok('job-status', { id: 'gid://shopify/Job/1' }), { job: null });

  sandbox.controls.placeOrder([{ variant: second.variantId, quantity: 1 }]);
  assert.equal(
    (await ok('orders-changed-since', { query: "updated_at:>='2020-01-01T00:00:00Z'" })).orders.nodes.length,
    1,
  );
  await ok('orders-page');
  await ok('orders-by-source-identifier', { query: "source_identifier:'nothing'" });
  await ok('product-delete', { id: first.productId });
  assert.ok(seen.size >= 53, `${seen.size} operations ran`);
});
