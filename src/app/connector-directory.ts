import type { RateGate } from '../connectors/shared/rate-gate.ts';
import { createRequestWindow, type RequestWindow } from '../connectors/shared/request-window.ts';
import type { DownloadTransport, Transport } from '../connectors/shared/transport.ts';
import { createShopifyConnector } from '../connectors/shopify/connector.ts';
import { type CostGate, createCostGate } from '../connectors/shopify/cost-gate.ts';
import { isLocalHost, normaliseShopDomain } from '../connectors/shopify/shop-domain.ts';
import { createWooConnector, createWooGate } from '../connectors/woocommerce/connector.ts';
import { normaliseStoreUrl } from '../connectors/woocommerce/store-url.ts';
import type { StoreRow } from '../db/schema/store.ts';
import type { ConnectorDirectory, StoreCredentials } from '../engine/context.ts';
import { openOldSecrets } from '../engine/stores/old-secrets.ts';
import { ConnectorError } from '../model/connector-error.ts';
import type { StoreId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import { type Shop, shopOf } from '../model/shop.ts';
import type { Cipher } from '../ports/cipher.ts';
import type { Clock } from '../ports/clock.ts';
import type { Connector, ConnectorHealth } from '../ports/connector.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import { aimWebhooks } from './aim-webhooks.ts';

export interface ConnectorDirectoryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cipher: Cipher;
  readonly transport: Transport;
  readonly download: DownloadTransport;
  readonly shopifyApiVersion: string | null;
  readonly allowLocalStores: boolean;
  /** Origins that this process started itself: the demo's stores. */
  readonly trustedOrigins: ReadonlySet<string>;
  readonly publicUrl: string | null;
  /** Where stores on this machine reach us. */
  readonly localUrl: () => string | null;
  /** Requests that may leave for a shop in any minute, by the settings of its pairs as they are now; null: none of them says. */
  readonly requestsPerMinute: (shop: Shop) => number | null;
}

export interface AppConnectorDirectory extends ConnectorDirectory {
  /** Over all connectors of the store; null before the first call. */
  health(storeId: StoreId): ConnectorHealth | null;
  close(): Promise<void>;
}

const ANY_LOCATION = '';

/** What is kept of one store: its connectors by mapped location, and the one gate that all calls of its shop go through. */
interface KnownStore {
  readonly connectors: Map<string, Connector>;
  readonly shop: Shop;
  readonly gates: ShopGates;
}

/** Only that of its platform is ever used. */
interface ShopGates {
  readonly cost: CostGate;
  readonly rate: RateGate;
}

/** Connectors are made once per store and mapped location, and keep their tokens, rates and health as long as the store is what it was. */
export function createConnectorDirectory(options: ConnectorDirectoryOptions): AppConnectorDirectory {
  const { clock, random, log, cipher, transport, download } = options;
  const known = new Map<StoreId, KnownStore>();
  const gatesByShop = new Map<string, ShopGates>();
  /** Beside the gates: what has left for a shop counts on when its connectors are made anew, and whichever app it left by. */
  const windows = new Map<Shop, RequestWindow>();
  let isClosed = false;

  function windowOf(shop: Shop): RequestWindow {
    let window = windows.get(shop);
    if (window === undefined) {
      window = createRequestWindow({ clock, limit: () => (isClosed ? null : options.requestsPerMinute(shop)) });
      windows.set(shop, window);
    }
    return window;
  }

  function make(
    credentials: StoreCredentials,
    address: string,
    webhookSecrets: readonly string[],
    locationId: string | null,
    info: StoreRow['info'],
    { cost, rate }: ShopGates,
  ): Connector {
    if (credentials.platform === 'woocommerce') {
      const { consumerKey, consumerSecret } = credentials;
      return createWooConnector({
        url: address,
        consumerKey,
        consumerSecret,
        webhookSecrets,
        ...(info === null ? {} : { version: info.version }),
        gate: rate,
        transport,
        clock,
        random,
        log,
      });
    }
    return createShopifyConnector({
      shopDomain: address,
      auth: credentials.auth,
      locationId,
      webhookSecrets,
      gate: cost,
      ...(options.shopifyApiVersion === null ? {} : { apiVersion: options.shopifyApiVersion }),
      transport,
      download,
      clock,
      random,
      log,
      info,
    });
  }

  /** What a shop bears it bears from all workspaces together; Shopify has a bucket of points for each app. */
  function gatesOf(store: StoreRow): ShopGates {
    const key = `${shopOf(store)} ${appOf(credentialsOf(store))}`;
    const own = gatesByShop.get(key) ?? newGates(windowOf(shopOf(store)));
    gatesByShop.set(key, own);
    return own;
  }

  function newGates(window?: RequestWindow): ShopGates {
    const options = window === undefined ? { clock } : { clock, window };
    return { cost: createCostGate(options), rate: createWooGate(options) };
  }

  function credentialsOf(store: StoreRow): StoreCredentials {
    return JSON.parse(cipher.open(store.credentials, `store.credentials:${store.id}`)) as StoreCredentials;
  }

  function open(store: StoreRow, locationId: string | null, gates: ShopGates): Connector {
    const credentials = credentialsOf(store);
    const secret = cipher.open(store.webhookSecret, `store.webhook_secret:${store.id}`);
    const secrets = [secret, ...openOldSecrets(cipher, store).map((old) => old.secret)];
    const opened = secrets.filter((one) => one !== '');
    const connector = make(credentials, store.address, opened, locationId, store.info, gates);
    return aimWebhooks(connector, webhookAim(store.isSandbox || isLocalAddress(store.address)), store.isSandbox);
  }

  /** Our own stores and those on this machine reach us directly, whatever the world calls us. */
  function webhookAim(isLocal: boolean): (callbackUrl: string) => string | null {
    return (callbackUrl) => {
      if (!isLocal) return options.publicUrl === null ? null : callbackUrl;
      const local = options.localUrl();
      return local === null ? null : `${local}${callbackUrl.slice(callbackUrl.indexOf('/api/webhooks/'))}`;
    };
  }

  function addressOf(credentials: StoreCredentials): string {
    try {
      if (credentials.platform === 'woocommerce') return normaliseStoreUrl(credentials.url);
      const isTrusted = options.trustedOrigins.has(`http://${credentials.shopDomain}`);
      return normaliseShopDomain(credentials.shopDomain, { allowLocal: isTrusted || options.allowLocalStores });
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      const field = error.details.field ?? (credentials.platform === 'woocommerce' ? 'url' : 'shopDomain');
      const message = `${field}: ${error.message}`;
      throw new Refusal('VALIDATION', message, { fields: [{ field, message }] });
    }
  }

  function forget(storeId: StoreId): void {
    const entry = known.get(storeId);
    known.delete(storeId);
    // Somebody else may call this shop, and goes on at the rate that it was found to bear.
    const used = new Set([...known.values()].map(({ gates }) => gates));
    for (const [key, gates] of gatesByShop) if (!used.has(gates)) gatesByShop.delete(key);
    const called = new Set([...known.values()].map(({ shop }) => shop));
    for (const [shop, window] of windows) if (!called.has(shop) && window.isIdle()) windows.delete(shop);
    for (const connector of entry?.connectors.values() ?? []) {
      connector
        .close()
        .catch((error: unknown) => log.warn({ storeId, error: String(error) }, 'a connector did not close'));
    }
  }

  return {
    forStore(store, locationId) {
      const key = store.platform === 'shopify' ? (locationId ?? ANY_LOCATION) : ANY_LOCATION;
      let entry = known.get(store.id);
      if (entry === undefined) {
        entry = { connectors: new Map(), shop: shopOf(store), gates: gatesOf(store) };
        known.set(store.id, entry);
      }
      let connector = entry.connectors.get(key);
      if (connector === undefined) {
        connector = open(store, locationId, entry.gates);
        entry.connectors.set(key, connector);
      }
      return connector;
    },
    probe(credentials, webhookSecret) {
      const address = addressOf(credentials);
      const secrets = webhookSecret === '' ? [] : [webhookSecret];
      const connector = make(credentials, address, secrets, null, null, newGates());
      const isOurOwn = options.trustedOrigins.has(address.includes('://') ? address : `http://${address}`);
      return { connector: aimWebhooks(connector, webhookAim(isLocalAddress(address)), isOurOwn), address };
    },
    forget,
    health(storeId) {
      const all = [...(known.get(storeId)?.connectors.values() ?? [])].map((connector) => connector.health());
      return all.length === 0 ? null : all.reduce(mergeHealth);
    },
    async close() {
      isClosed = true;
      const connectors = [...known.values()].flatMap((entry) => [...entry.connectors.values()]);
      known.clear();
      gatesByShop.clear();
      await Promise.allSettled(connectors.map((connector) => connector.close()));
    },
  };
}

function mergeHealth(a: ConnectorHealth, b: ConnectorHealth): ConnectorHealth {
  const busier = a.callCount >= b.callCount ? a : b;
  const later = (b.lastErrorAt ?? 0) > (a.lastErrorAt ?? 0) ? b : a;
  const lastContactAt = Math.max(a.lastContactAt ?? 0, b.lastContactAt ?? 0);
  return {
    lastContactAt: lastContactAt === 0 ? null : lastContactAt,
    lastErrorAt: later.lastErrorAt,
    lastErrorKind: later.lastErrorKind,
    callCount: a.callCount + b.callCount,
    failureCount: a.failureCount + b.failureCount,
    throttledCount: a.throttledCount + b.throttledCount,
    latencyP50Ms: busier.latencyP50Ms,
    latencyP99Ms: busier.latencyP99Ms,
  };
}

/** Nothing for WooCommerce, whose keys all draw on one host. */
function appOf(credentials: StoreCredentials): string {
  if (credentials.platform === 'woocommerce') return '';
  return credentials.auth.type === 'token' ? credentials.auth.accessToken : credentials.auth.clientId;
}

function isLocalAddress(address: string): boolean {
  return isLocalHost(address.replace(/^https?:\/\//, '').split('/')[0] ?? '');
}
