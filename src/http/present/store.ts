import type { Store, StoreHealth } from '../../contracts/stores.ts';
import type { StoreListRow } from '../../db/readers/list-stores.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { isoTime } from '../../lib/time.ts';
import type { ConnectorHealth } from '../../ports/connector.ts';

/** What is known of a store's answering. */
export interface StoreContact {
  /** A person is told that it has not answered for some time. */
  readonly isAway: boolean;
  /** Null: nothing was asked since the server started. */
  readonly health: ConnectorHealth | null;
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

export function presentStore(row: StoreListRow, contact: StoreContact): Store {
  const { store } = row;
  return {
    _id: store.id,
    name: store.name,
    platform: store.platform,
    domain: domainOf(store),
    url: urlOf(store),
    status: store.status,
    statusReason: store.statusReason,
    isSandbox: store.isSandbox,
    currency: store.info?.currency ?? null,
    timeZone: store.info?.timeZone ?? null,
    platformVersion: store.info?.version ?? null,
    locations: (store.info?.locations ?? []).map(({ id, name, isActive }) => ({ id, name, isActive })),
    health: presentHealth(store, contact),
    syncStats: {
      totalProducts: totalProducts(row),
      // Orders are not mirrored by this version: there is no number to tell, not even none.
      totalOrders: null,
      lastSync: isoTimeOrNull(row.lastSyncAt),
    },
    pairIds: [...row.pairIds],
    webhookSources: [...(store.webhookSources ?? [])],
    findings: store.findings.map(({ code, level, message, remedy }) => ({ code, level, message, remedy })),
    createdAt: isoTime(store.createdAt),
  };
}

/** The store is asked how many it has when it is connected or tested; what was linked since, made by us or not, is there as well. */
export function totalProducts({ store, linkedCount }: Pick<StoreListRow, 'store' | 'linkedCount'>): number {
  return Math.max(store.info?.productCount ?? 0, linkedCount);
}

export function presentHealth(store: StoreRow, contact: StoreContact): StoreHealth {
  const { health } = contact;
  const lastContactAt = lastContactOf(store, health);
  return {
    connectionStatus: connectionStatus(store, contact),
    lastContactAt: lastContactAt > 0 ? isoTime(lastContactAt) : null,
    lastErrorAt: isoTimeOrNull(health?.lastErrorAt ?? null),
    lastErrorKind: health?.lastErrorKind ?? null,
    callCount: health?.callCount ?? 0,
    failureCount: health?.failureCount ?? 0,
    throttledCount: health?.throttledCount ?? 0,
    latencyP50Ms: health?.latencyP50Ms ?? null,
    latencyP99Ms: health?.latencyP99Ms ?? null,
    webhooksCheckedAt: isoTimeOrNull(store.webhooksCheckedAt),
  };
}

/** Kinds of failure in which no answer came, or a server's that has failed: the rest are answers of the store. */
const SILENCE: ReadonlySet<string> = new Set(['unavailable', 'timeout', 'unknown_outcome']);

/** `error`: it keeps us out, or has not answered for some time. `unknown`: it did not answer the last call, or was never asked. */
export function connectionStatus(store: StoreRow, { isAway, health }: StoreContact): StoreHealth['connectionStatus'] {
  if (store.status === 'disconnected') return 'unknown';
  if (store.status === 'error' || isAway) return 'error';
  const lastContactAt = lastContactOf(store, health);
  if (SILENCE.has(health?.lastErrorKind ?? '') && (health?.lastErrorAt ?? 0) > lastContactAt) return 'unknown';
  return lastContactAt > 0 || store.info !== null ? 'healthy' : 'unknown';
}

/** 0: none that is known of, ms. */
function lastContactOf(store: StoreRow, health: ConnectorHealth | null): number {
  return Math.max(store.lastContactAt ?? 0, health?.lastContactAt ?? 0);
}

const ON_THIS_MACHINE = /^(?:localhost|127\.|\[::1\])/;

/** A WooCommerce address is a URL, a Shopify one a domain; on this machine it is called without TLS. */
export function urlOf({ address }: Pick<StoreRow, 'address'>): string {
  if (address.includes('://')) return address;
  return `${ON_THIS_MACHINE.test(address) ? 'http' : 'https'}://${address}`;
}

export function domainOf(store: Pick<StoreRow, 'address'>): string {
  const url = urlOf(store);
  return URL.canParse(url) ? new URL(url).host : store.address;
}
