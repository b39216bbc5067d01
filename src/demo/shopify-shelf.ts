import type { DemoProduct } from './catalogue.ts';
import type { Shelf } from './shelf.ts';

/** Starts a Shopify-compatible store on this machine. The sandbox's code and graphql-js are loaded here and not before. */
export async function openShopifyShelf(_name: string, _products: readonly DemoProduct[]): Promise<Shelf> {
  throw new Error('the Shopify sandbox is not built in yet');
}
