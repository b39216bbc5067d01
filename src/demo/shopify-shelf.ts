import { randomBytes } from 'node:crypto';
import { unreachable } from '../lib/assert.ts';
import { formatMinor, parseMinor } from '../model/money.ts';
import type { DemoProduct } from './catalogue.ts';
import { DEMO_CURRENCY, DEMO_TIME_ZONE, type Shelf, type ShelfAction, type ShelfItem } from './shelf.ts';

/** What Shopify calls the only variant of a product without options. */
const ONLY_VARIANT = 'Default Title';

/** Starts a Shopify-compatible store on this machine. The sandbox's code and graphql-js are loaded here and not before. */
export async function openShopifyShelf(name: string, products: readonly DemoProduct[]): Promise<Shelf> {
  const { createShopifySandbox } = await import('../sandbox/shopify/create-shopify-sandbox.ts');
  const accessToken = `shpat_${randomBytes(16).toString('hex')}`;
  const apiSecret = `shpss_${randomBytes(16).toString('hex')}`;
  const sandbox = createShopifySandbox({
    shopDomain: `harbour-${randomBytes(4).toString('hex')}.myshopify.com`,
    accessToken,
    clientSecret: apiSecret,
    allowHttpWebhooks: true,
    shop: { name, currencyCode: DEMO_CURRENCY, ianaTimezone: DEMO_TIME_ZONE },
  });
  const { controls } = sandbox;
  for (const product of products) controls.addProduct(newProduct(product));
  const { origin } = await sandbox.listen(0, '127.0.0.1');
  const findRow = (sku: string) => controls.listShelf().find((row) => row.sku === sku);

  function list(): readonly ShelfItem[] {
    return controls.listShelf().map((row) => ({
      sku: row.sku ?? '',
      title: row.title,
      variant: row.variantTitle === ONLY_VARIANT ? '' : row.variantTitle,
      priceMinor: parseMinor(row.price, DEMO_CURRENCY),
      currency: DEMO_CURRENCY,
      stock: row.tracked ? row.available : null,
    }));
  }

  function act(action: ShelfAction): void {
    switch (action.type) {
      case 'sell':
        controls.placeOrder([{ variant: action.sku, quantity: action.quantity }]);
        return;
      case 'restock':
        controls.restock(action.sku, action.quantity);
        return;
      case 'edit_price':
        controls.setPrice(action.sku, formatMinor(action.priceMinor, DEMO_CURRENCY), null);
        return;
      case 'edit_title':
        controls.updateProduct(findRow(action.sku)?.productId ?? '', { title: action.title });
        return;
      default:
        unreachable(action);
    }
  }

  return {
    name,
    origin,
    credentials: {
      platform: 'shopify',
      shopDomain: new URL(origin).host,
      auth: { type: 'token', accessToken, apiSecret },
    },
    list,
    act,
    close: () => sandbox.close(),
  };
}

function newProduct(product: DemoProduct) {
  const shared = { title: product.title, descriptionHtml: product.description, tags: product.tags };
  const { optionName, variants } = product;
  const [first] = variants;
  if (optionName === null) return { ...shared, sku: first.sku, price: first.price, stock: first.stock };
  return {
    ...shared,
    optionNames: [optionName],
    variants: variants.map(({ option, sku, price, stock }) => ({ sku, price, stock, optionValues: [option] })),
  };
}
