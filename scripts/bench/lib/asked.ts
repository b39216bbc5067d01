import type { Store } from './processes.ts';

export interface ShopifyStats {
  readonly requests: number;
  readonly actualCost: number;
  readonly byOperation: Readonly<Record<string, { readonly calls: number; readonly actualCost: number }>>;
}

interface WooStats {
  readonly total: number;
  readonly calls: Readonly<Record<string, number>>;
}

/** What both stores were asked over some time. */
export interface Asked {
  readonly wooCalls: number;
  readonly wooWrites: number;
  readonly shopifyCalls: number;
  readonly shopifyPoints: number;
  readonly shopifyWrites: number;
  /** For people: operations and how often. */
  readonly list: string;
}

/** Operations that change something; starting a bulk query is a read. */
const SHOPIFY_WRITE =
  /^(Stock(Set|Activate)|Product(Create|Update|Set|Delete)|Variant|Option|Metafield|Publish|Tag|Webhook\w)/;

/** What was asked since the last call. */
export async function takeAsked(woo: Store, shopify: Store): Promise<Asked> {
  const wooStats = await woo.stats<WooStats>();
  const shopifyStats = await shopify.stats<ShopifyStats>();
  await Promise.all([woo.control('resetStats'), shopify.control('resetStats')]);
  const operations = Object.entries(shopifyStats.byOperation);
  const wooWrites = Object.entries(wooStats.calls).filter(([name]) => !name.startsWith('GET'));
  return {
    wooCalls: wooStats.total,
    wooWrites: wooWrites.reduce((sum, [, calls]) => sum + calls, 0),
    shopifyCalls: shopifyStats.requests,
    shopifyPoints: shopifyStats.actualCost,
    shopifyWrites: operations
      .filter(([name]) => SHOPIFY_WRITE.test(name))
      .reduce((sum, [, operation]) => sum + operation.calls, 0),
    list: operations.map(([name, { calls }]) => `${name} ${calls}`).join(', '),
  };
}
