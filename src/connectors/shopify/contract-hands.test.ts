import { formatMinor } from '../../model/money.ts';
import {
  type ContractHarness,
  type ShopProduct,
  type ShopVariant,
  unavailable,
} from '../../testing/contract/harness.ts';
import type { InProcessShop } from './sandbox-support.test.ts';

/** A call with the merchant's hands, past the connector; throws on errors and user errors. */
export type GraphqlCall = (query: string, variables?: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** What the merchant's hands do by plain calls of the API, with mappings of their own. */
export function createApiHands(
  graphql: GraphqlCall,
  mapped: string,
  elsewhere: string,
  currency: string,
): Pick<ContractHarness['shop'], 'addProduct' | 'editVariant' | 'unstock' | 'peek'> {
  const money = (minor: number | null) => (minor === null ? null : formatMinor(minor, currency));
  const prices = ({ price }: Pick<ShopVariant['fields'], 'price'>) => ({
    price: money(price.saleMinor ?? price.regularMinor),
    compareAtPrice: price.saleMinor === null ? null : money(price.regularMinor),
  });

  return {
    async addProduct({ fields, variants }: ShopProduct) {
      const names = fields.optionNames.length === 0 ? ['Title'] : fields.optionNames;
      const valuesOf = (variant: ShopVariant) =>
        fields.optionNames.length === 0 ? ['Default Title'] : variant.fields.optionValues;
      const input = {
        title: fields.title,
        descriptionHtml: fields.descriptionHtml,
        status: fields.status.toUpperCase(),
        tags: fields.tags,
        handle: fields.handle,
        productOptions: names.map((name, at) => ({
          name,
          values: [...new Set(variants.map((variant) => valuesOf(variant)[at]))].map((value) => ({ name: value })),
        })),
        variants: variants.map((variant) => ({
          optionValues: names.map((optionName, at) => ({ optionName, name: valuesOf(variant)[at] })),
          ...prices(variant.fields),
          barcode: variant.fields.barcode,
          taxable: variant.fields.taxable,
          inventoryPolicy: variant.fields.backorders === 'no' ? 'DENY' : 'CONTINUE',
          inventoryItem: {
            sku: variant.fields.sku,
            tracked: variant.stock.tracked,
            requiresShipping: variant.fields.requiresShipping,
            ...(variant.fields.weightMg === null
              ? {}
              : { measurement: { weight: { unit: 'GRAMS', value: variant.fields.weightMg / 1000 } } }),
          },
          inventoryQuantities: [{ locationId: mapped, name: 'available', quantity: variant.stock.quantity }],
        })),
      };
      const data = (await graphql(
        `mutation($input: ProductSetInput!) { productSet(input: $input) {
          product { id variants(first: 250) { nodes { id inventoryItem { id } } } } userErrors { code field message } } }`,
        { input },
      )) as unknown as {
        productSet: { product: { id: string; variants: { nodes: { id: string; inventoryItem: { id: string } }[] } } };
      };
      const { product } = data.productSet;
      return {
        externalId: product.id,
        variants: product.variants.nodes.map(({ id, inventoryItem }) => ({
          externalId: id,
          stockId: inventoryItem.id,
        })),
      };
    },
    async editVariant(productId, variantId, fields) {
      const variant = {
        id: variantId,
        ...(fields.price === undefined ? {} : prices({ price: fields.price })),
        ...(fields.barcode === undefined ? {} : { barcode: fields.barcode }),
        ...(fields.sku === undefined ? {} : { inventoryItem: { sku: fields.sku } }),
      };
      await graphql(
        'mutation($id: ID!, $v: [ProductVariantsBulkInput!]!) { productVariantsBulkUpdate(productId: $id, variants: $v) { userErrors { message } } }',
        { id: productId, v: [variant] },
      );
    },
    async unstock(stockId) {
      const activate = `mutation($item: ID!, $location: ID!) {
        inventoryActivate(inventoryItemId: $item, locationId: $location) @idempotent(key: "a-${stockId}") { userErrors { message } } }`;
      await graphql(activate, { item: stockId, location: elsewhere });
      const data = (await graphql(
        'query($id: ID!, $location: ID!) { inventoryItem(id: $id) { inventoryLevel(locationId: $location) { id } } }',
        { id: stockId, location: mapped },
      )) as unknown as { inventoryItem: { inventoryLevel: { id: string } } };
      await graphql(
        `mutation($id: ID!) { inventoryDeactivate(inventoryLevelId: $id) @idempotent(key: "d-${stockId}") { userErrors { message } } }`,
        { id: data.inventoryItem.inventoryLevel.id },
      );
    },
    async peek(externalId) {
      const data = await graphql(
        `query($id: ID!) { product(id: $id) { title descriptionHtml status tags handle updatedAt
          metafields(first: 20) { nodes { namespace key value } }
          variants(first: 250) { nodes { id sku barcode price compareAtPrice inventoryPolicy taxable updatedAt
            inventoryItem { tracked requiresShipping inventoryLevels(first: 5) { nodes { quantities(names: ["available", "on_hand"]) { name quantity } } } } } } } }`,
        { id: externalId },
      );
      return data['product'] ?? null;
    },
  };
}

/** The merchant's and the shopper's hands at the sandbox: its controls do the rest. */
export function createHands(
  shop: InProcessShop,
  mapped: string,
  elsewhere: string,
  currency: string,
): ContractHarness['shop'] {
  const { controls } = shop.sandbox;
  const variantOf = (stockId: string) => {
    const row = controls.listShelf().find(({ inventoryItemId }) => inventoryItemId === stockId);
    if (!row) throw new Error(`no variant of ${stockId}`);
    return row.variantId;
  };
  const levelOf = (stockId: string) =>
    controls.levelsOf(variantOf(stockId)).find(({ locationId }) => locationId === mapped);

  return {
    ...createApiHands(shop.graphql, mapped, elsewhere, currency),
    async editProduct(externalId, fields) {
      controls.updateProduct(externalId, {
        ...fields,
        ...(fields.status === undefined ? {} : { status: fields.status.toUpperCase() as 'ACTIVE' }),
      } as Parameters<typeof controls.updateProduct>[1]);
    },
    async sell(stockId, count) {
      controls.placeOrder([{ variant: variantOf(stockId), quantity: count }]);
    },
    async setStock(stockId, quantity) {
      controls.recount(variantOf(stockId), quantity, mapped);
    },
    async quantity(stockId) {
      return levelOf(stockId)?.available ?? 0;
    },
    trash: unavailable('bin'),
    restore: unavailable('bin'),
    async destroy(externalId) {
      controls.deleteProduct(externalId);
    },
    async revokeCredentials() {
      controls.setFault(() => ({
        kind: 'status',
        status: 401,
        body: { errors: '[API] Invalid API key or access token' },
      }));
    },
    async restoreCredentials() {
      controls.setFault(null);
    },
  };
}
