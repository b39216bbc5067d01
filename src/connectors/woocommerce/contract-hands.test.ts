import { formatMinor } from '../../model/money.ts';
import type { VariantFields } from '../../model/product.ts';
import { type ShopControls, type ShopVariant, unavailable } from '../../testing/contract/harness.ts';

/** Straight at the store's API v3, past the connector; throws for anything but a success. */
export type RestCall = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

/**
 * The merchant's and the shopper's hands by plain calls of the API, so that they work on any WooCommerce.
 * `unitMg`: one weight unit of the store in mg.
 */
export function createHands(call: RestCall, currency: string, unitMg: number): ShopControls {
  const variantBody = (fields: Partial<VariantFields>) => ({
    ...(fields.sku === undefined ? {} : { sku: fields.sku }),
    ...(fields.barcode === undefined ? {} : { global_unique_id: fields.barcode }),
    ...(fields.price === undefined
      ? {}
      : {
          regular_price: fields.price.regularMinor === null ? '' : formatMinor(fields.price.regularMinor, currency),
          sale_price: fields.price.saleMinor === null ? '' : formatMinor(fields.price.saleMinor, currency),
        }),
    ...(fields.weightMg === undefined
      ? {}
      : { weight: fields.weightMg === null ? '' : (fields.weightMg / unitMg).toFixed(8) }),
  });
  const stockBody = ({ fields, stock }: ShopVariant) =>
    stock.tracked
      ? { manage_stock: true, stock_quantity: stock.quantity, backorders: fields.backorders }
      : { manage_stock: false };
  const pathOf = (stockId: string) => {
    const [, product, variation] = stockId.split(':');
    return variation === undefined ? `/products/${product}` : `/products/${product}/variations/${variation}`;
  };
  const escaped = (text: string) => text.replaceAll('\\', '\\\\');
  const statusBody = (status: string | undefined) =>
    status === undefined
      ? {}
      : {
          status: status === 'active' || status === 'unlisted' ? 'publish' : 'draft',
          catalog_visibility: status === 'unlisted' ? 'hidden' : 'visible',
        };
  /** WooCommerce keeps barcodes unique: a merchant who needs one again takes it from the product that has it. */
  const freeBarcode = async (barcode: string) => {
    if (barcode === '') return;
    const holders = (await call('GET', `/products?global_unique_id=${barcode}`)) as unknown as {
      id: number;
      global_unique_id?: string;
    }[];
    // A version that can't look for barcodes lists everything.
    for (const { id } of holders.filter((one) => one.global_unique_id === barcode))
      await call('PUT', `/products/${id}`, { global_unique_id: '' });
  };
  return {
    async addProduct({ fields, variants }) {
      const isSimple = fields.optionNames.length === 0;
      for (const { fields: one } of variants) await freeBarcode(one.barcode);
      const product = await call('POST', '/products', {
        name: escaped(fields.title),
        description: escaped(fields.descriptionHtml),
        slug: fields.handle,
        ...statusBody(fields.status),
        tags: fields.tags.map((name) => ({ name })),
        ...(isSimple
          ? { type: 'simple', ...variantBody(variants[0]!.fields), ...stockBody(variants[0]!) }
          : {
              type: 'variable',
              attributes: fields.optionNames.map((name, at) => ({
                name,
                position: at,
                visible: true,
                variation: true,
                options: [...new Set(variants.map((variant) => variant.fields.optionValues[at]!))],
              })),
            }),
      });
      const id = String(product['id']);
      if (isSimple) return { externalId: id, variants: [{ externalId: id, stockId: `p:${id}` }] };
      const records: { externalId: string; stockId: string }[] = [];
      for (const variant of variants) {
        const made = await call('POST', `/products/${id}/variations`, {
          ...variantBody(variant.fields),
          ...stockBody(variant),
          attributes: fields.optionNames.map((name, at) => ({ name, option: variant.fields.optionValues[at] })),
        });
        records.push({ externalId: String(made['id']), stockId: `v:${id}:${String(made['id'])}` });
      }
      return { externalId: id, variants: records };
    },
    async editProduct(externalId, fields) {
      await call('PUT', `/products/${externalId}`, {
        ...(fields.title === undefined ? {} : { name: escaped(fields.title) }),
        ...(fields.descriptionHtml === undefined ? {} : { description: escaped(fields.descriptionHtml) }),
        ...statusBody(fields.status),
        ...(fields.tags === undefined ? {} : { tags: fields.tags.map((name) => ({ name })) }),
      });
    },
    async editVariant(productId, variantId, fields) {
      const path =
        productId === variantId ? `/products/${productId}` : `/products/${productId}/variations/${variantId}`;
      await call('PUT', path, variantBody(fields));
    },
    async sell(stockId, count) {
      const [, product, variation] = stockId.split(':');
      const item = {
        product_id: Number(product),
        quantity: count,
        ...(variation ? { variation_id: Number(variation) } : {}),
      };
      await call('POST', '/orders', { set_paid: true, line_items: [item] });
    },
    async setStock(stockId, quantity) {
      await call('PUT', pathOf(stockId), { stock_quantity: quantity });
    },
    async quantity(stockId) {
      return Number((await call('GET', pathOf(stockId)))['stock_quantity']);
    },
    unstock: unavailable('unstocked'),
    async trash(externalId) {
      await call('DELETE', `/products/${externalId}`);
    },
    async restore(externalId) {
      await call('PUT', `/products/${externalId}`, { status: 'publish' });
    },
    async destroy(externalId) {
      await call('DELETE', `/products/${externalId}?force=true`);
    },
    async peek(externalId) {
      const { related_ids: _related, ...rest } = await call('GET', `/products/${externalId}`);
      const variations = await call('GET', `/products/${externalId}/variations?per_page=100`);
      return { ...rest, variations };
    },
    revokeCredentials: unavailable('revoke'),
    restoreCredentials: unavailable('revoke'),
  };
}
