import type { FaultHook, FaultRule, FaultSwitch } from '../http/faults.ts';
import { expandScopes, type SandboxState } from '../state.ts';
import { createChangeSet } from '../store/changes.ts';
import { gidOf } from '../store/ids.ts';
import type { ShopSettings, WebhookFaults } from '../types.ts';
import { shopPayload } from '../webhooks/shop-payloads.ts';
import { type CatalogueControls, createCatalogueControls, type ShelfRow } from './catalogue-controls.ts';
import { seedCatalogue } from './seed.ts';
import { createStockControls, type StockControls } from './stock-controls.ts';

export interface SandboxSnapshot {
  readonly shopDomain: string;
  readonly shelf: readonly ShelfRow[];
  readonly locations: readonly { readonly id: string; readonly name: string; readonly isActive: boolean }[];
  readonly subscriptions: readonly { readonly id: string; readonly topic: string; readonly uri: string }[];
  readonly orders: number;
}

/** What a merchant, a shopper or bad luck does to the store. */
export interface SandboxControls extends CatalogueControls, StockControls {
  seed(products: number, variants: number, skuPrefix?: string): void;
  setFault(fault: FaultHook | FaultRule | readonly FaultRule[] | null): void;
  setWebhookFaults(faults: WebhookFaults): void;
  setGrantedScopes(scopes: readonly string[]): void;
  /** Every token stops working; client credentials can ask for a new one. */
  revokeToken(): void;
  /** The merchant removes the app: app/uninstalled goes out, then tokens and subscriptions are gone. */
  uninstallApp(): void;
  updateShop(change: Partial<ShopSettings>): void;
  /** Webhooks that are under way or wait for another attempt. */
  pendingWebhooks(): number;
  snapshot(): SandboxSnapshot;
}

export function createControls(state: SandboxState, faults: FaultSwitch): SandboxControls {
  const catalogue = createCatalogueControls(state);
  const announce = (topic: string) => {
    const changes = createChangeSet();
    changes.announcements.push({ topic, payload: shopPayload(state) });
    state.commit(changes);
  };
  return {
    ...catalogue,
    ...createStockControls(state),
    seed: (products, variants, skuPrefix) =>
      seedCatalogue(state, { products, variants, ...(skuPrefix === undefined ? {} : { skuPrefix }) }),
    setFault: (fault) => faults.set(fault),
    setWebhookFaults: (webhookFaults) => {
      state.webhooks.faults = webhookFaults;
    },
    setGrantedScopes: (scopes) => {
      state.grantedScopes.clear();
      for (const scope of expandScopes(scopes)) state.grantedScopes.add(scope);
    },
    revokeToken: () => state.tokens.clear(),
    uninstallApp: () => {
      announce('app/uninstalled');
      state.tokens.clear();
      state.webhooks.dropSubscriptions();
    },
    updateShop: (change) => {
      Object.assign(state.config.shop, change);
      announce('shop/update');
    },
    pendingWebhooks: () => state.webhooks.pending(),
    snapshot: () => ({
      shopDomain: state.config.shopDomain,
      shelf: catalogue.listShelf(),
      locations: [...state.store.locations.values()].map(({ id, name, isActive }) => ({
        id: gidOf('Location', id),
        name,
        isActive,
      })),
      subscriptions: [...state.store.subscriptions.values()].map(({ id, topic, uri }) => ({
        id: gidOf('WebhookSubscription', id),
        topic,
        uri,
      })),
      orders: state.store.orders.size,
    }),
  };
}
