/** What a sandbox can be told when it is made, and the small world it lives in. Times are milliseconds unless the name says otherwise. */

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Shopify waits one second for the connection and five in all; a real delivery must keep to both. */
  readonly connectTimeoutMs: number;
  readonly timeoutMs: number;
}

/** Everything the sandbox needs from outside, so that it can run under a virtual clock. */
export interface SandboxEnvironment {
  now(): number;
  setTimer(run: () => void, delayMs: number): unknown;
  clearTimer(handle: unknown): void;
  /** Sends one webhook. A rejected promise counts as a failed delivery, like any status outside 200-299. */
  deliver(request: WebhookRequest): Promise<{ status: number }>;
  /** In [0, 1). */
  random(): number;
}

export interface ShopSettings {
  name: string;
  email: string;
  currencyCode: string;
  ianaTimezone: string;
  weightUnit: 'GRAMS' | 'KILOGRAMS' | 'OUNCES' | 'POUNDS';
  unitSystem: 'METRIC_SYSTEM' | 'IMPERIAL_SYSTEM';
  taxesIncluded: boolean;
  taxShipping: boolean;
  countryCode: string;
  provinceCode: string | null;
  planName: string;
  isDevelopmentStore: boolean;
  isPlus: boolean;
}

export interface LocationSeed {
  name: string;
  isActive?: boolean;
  isFulfillmentService?: boolean;
}

export interface WebhookFaults {
  /** Share of deliveries that never leave, 0..1. */
  dropRate?: number;
  /** Share of deliveries sent twice with the same webhook id, 0..1. */
  duplicateRate?: number;
  /** Each delivery waits a random time up to this, so that later ones may overtake it. */
  reorderWithinMs?: number;
  /** Every delivery waits at least this. */
  delayMs?: number;
}

export interface ShopifySandboxOptions {
  shopDomain?: string;
  /** A token that never expires, as of a legacy admin-made app. */
  accessToken?: string;
  clientId?: string;
  /** Also signs the webhooks. */
  clientSecret?: string;
  scopes?: readonly string[];
  /** How the client-credentials grant answers. `shop_not_permitted`: app and store are in different organisations. */
  clientCredentials?: 'allowed' | 'shop_not_permitted';
  tokenLifeSeconds?: number;
  shop?: Partial<ShopSettings>;
  locations?: readonly LocationSeed[];
  bucketPoints?: number;
  restorePointsPerSecond?: number;
  /** Costs are still counted, but nothing is ever refused for lack of points. */
  unthrottled?: boolean;
  searchIndexLagMs?: number;
  totalInventoryLagMs?: number;
  /** From start to the first row of a bulk operation. */
  bulkDelayMs?: number;
  /** From acceptance to completion of productSet(synchronous: false) and productDelete(synchronous: false). */
  asyncDelayMs?: number;
  /** Each of UPLOADED -> PROCESSING -> READY takes this long. */
  mediaStepMs?: number;
  /** A webhook leaves this long after the change. */
  webhookDelayMs?: number;
  webhookFaults?: WebhookFaults;
  /** Accept http:// webhook addresses on the loopback interface. The real store takes https only. */
  allowHttpWebhooks?: boolean;
  /** Serve `/__sandbox/*` to loopback callers. */
  controlRoutes?: boolean;
  /** Keep the start and end of every request in `stats.times`. */
  recordTimes?: boolean;
  /** Base of bulk result and upload addresses; default: where it listens. */
  publicOrigin?: string;
  environment?: Partial<SandboxEnvironment>;
}

export type SandboxConfig = Required<
  Omit<ShopifySandboxOptions, 'environment' | 'publicOrigin' | 'shop' | 'locations'>
> & {
  shop: ShopSettings;
  locations: readonly LocationSeed[];
};

/** Scopes of section 4 of the facts: what a full connector asks for. `write_x` includes `read_x`. */
const SCOPES_DEFAULT: readonly string[] = [
  'write_products',
  'write_inventory',
  'read_locations',
  'write_orders',
  'write_customers',
  'write_publications',
  'write_files',
  'write_merchant_managed_fulfillment_orders',
  'read_fulfillments',
  'read_returns',
];

export function resolveConfig(options: ShopifySandboxOptions): SandboxConfig {
  return {
    shopDomain: options.shopDomain ?? 'sandbox-shelf.myshopify.com',
    accessToken: options.accessToken ?? 'shpat_sandbox_token',
    clientId: options.clientId ?? 'sandbox-client-id',
    clientSecret: options.clientSecret ?? 'sandbox-client-secret',
    scopes: options.scopes ?? SCOPES_DEFAULT,
    clientCredentials: options.clientCredentials ?? 'allowed',
    tokenLifeSeconds: options.tokenLifeSeconds ?? 86_400,
    bucketPoints: options.bucketPoints ?? 2_000,
    restorePointsPerSecond: options.restorePointsPerSecond ?? 100,
    unthrottled: options.unthrottled ?? false,
    searchIndexLagMs: options.searchIndexLagMs ?? 0,
    totalInventoryLagMs: options.totalInventoryLagMs ?? 3_000,
    bulkDelayMs: options.bulkDelayMs ?? 20,
    asyncDelayMs: options.asyncDelayMs ?? 50,
    mediaStepMs: options.mediaStepMs ?? 200,
    webhookDelayMs: options.webhookDelayMs ?? 0,
    webhookFaults: options.webhookFaults ?? {},
    allowHttpWebhooks: options.allowHttpWebhooks ?? false,
    controlRoutes: options.controlRoutes ?? false,
    recordTimes: options.recordTimes ?? false,
    shop: {
      name: 'Sandbox Shelf',
      email: 'owner@example.com',
      currencyCode: 'USD',
      ianaTimezone: 'America/New_York',
      weightUnit: 'KILOGRAMS',
      unitSystem: 'METRIC_SYSTEM',
      taxesIncluded: false,
      taxShipping: false,
      countryCode: 'US',
      provinceCode: 'NY',
      planName: 'Basic',
      isDevelopmentStore: false,
      isPlus: false,
      ...options.shop,
    },
    locations: options.locations ?? [{ name: 'Shop location' }],
  };
}
