import { randomBytes } from 'node:crypto';
import { unreachable } from '../lib/assert.ts';
import { formatMinor, parseMinor } from '../model/money.ts';
import type { DemoProduct } from './catalogue.ts';
import { DEMO_CURRENCY, DEMO_TIME_ZONE, type Shelf, type ShelfAction, type ShelfItem } from './shelf.ts';

/** Starts a WooCommerce-compatible store on this machine. The sandbox's code is loaded here and not before. */
export async function openWooShelf(name: string, products: readonly DemoProduct[]): Promise<Shelf> {
  const { createWooSandbox } = await import('../sandbox/woocommerce/create-woo-sandbox.ts');
  const { decodeEntities } = await import('../sandbox/woocommerce/php-text.ts');
  const key = `ck_${randomBytes(20).toString('hex')}`;
  const secret = `cs_${randomBytes(20).toString('hex')}`;
  const sandbox = createWooSandbox({
    siteName: name,
    currency: DEMO_CURRENCY,
    timezone: DEMO_TIME_ZONE,
    queue: 'immediate',
    keys: [{ key, secret, permissions: 'read_write' }],
  });
  const { controls } = sandbox;
  for (const product of products) controls.addProduct(newProduct(product));
  const { origin, url } = await sandbox.listen(0, '127.0.0.1');

  function list(): readonly ShelfItem[] {
    return controls.listShelf().map((row) => {
      const { title, variant } = split(decodeEntities(row.title), row.variationId !== null);
      return {
        sku: row.sku,
        title,
        variant,
        priceMinor: parseMinor(row.sale === '' ? row.regular : row.sale, DEMO_CURRENCY),
        currency: DEMO_CURRENCY,
        stock: row.stock,
      };
    });
  }

  function act(action: ShelfAction): void {
    switch (action.type) {
      case 'sell':
        controls.placeOrder([{ ref: action.sku, quantity: action.quantity }]);
        return;
      case 'restock':
        controls.restock(action.sku, action.quantity);
        return;
      case 'edit_price':
        controls.setPrice(action.sku, formatMinor(action.priceMinor, DEMO_CURRENCY));
        return;
      case 'edit_title': {
        const row = controls.listShelf().find((one) => one.sku === action.sku);
        controls.updateProduct(row?.productId ?? action.sku, { title: action.title });
        return;
      }
      default:
        unreachable(action);
    }
  }

  return {
    name,
    origin,
    credentials: { platform: 'woocommerce', url, consumerKey: key, consumerSecret: secret },
    list,
    act,
    close: () => sandbox.close(),
  };
}

function newProduct(product: DemoProduct) {
  const shared = {
    title: product.title,
    description: product.description,
    tags: product.tags,
    categories: ['Homeware'],
  };
  const { optionName, variants } = product;
  const [first] = variants;
  if (optionName === null) return { ...shared, sku: first.sku, regularPrice: first.price, stock: first.stock };
  return {
    ...shared,
    variations: variants.map(({ option, sku, price, stock }) => ({
      options: { [optionName]: option },
      sku,
      regularPrice: price,
      stock,
    })),
  };
}

/** WooCommerce calls a variation "Product - Option". */
function split(name: string, isVariation: boolean): { title: string; variant: string } {
  const at = isVariation ? name.lastIndexOf(' - ') : -1;
  return at < 0 ? { title: name, variant: '' } : { title: name.slice(0, at), variant: name.slice(at + 3) };
}
