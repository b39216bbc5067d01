import type { Db } from '../db/database.ts';
import type { StoreRow } from '../db/schema/store.ts';
import type { Cipher } from '../ports/cipher.ts';
import type { Clock } from '../ports/clock.ts';
import type { Connector } from '../ports/connector.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { RecordLocks } from './locks.ts';
import type { Strangers } from './matching/strangers.ts';

/** What every use case of the engine needs from outside. */
export interface EngineContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cipher: Cipher;
  readonly connectors: ConnectorDirectory;
  readonly locks: RecordLocks;
  readonly strangers: Strangers;
  /** Where the platforms can reach this instance, without a trailing slash; null when it is not known. */
  readonly publicUrl: string | null;
}

export type StoreCredentials =
  | {
      readonly platform: 'woocommerce';
      readonly url: string;
      readonly consumerKey: string;
      readonly consumerSecret: string;
    }
  | {
      readonly platform: 'shopify';
      readonly shopDomain: string;
      readonly auth:
        | { readonly type: 'token'; readonly accessToken: string; readonly apiSecret?: string }
        | { readonly type: 'client_credentials'; readonly clientId: string; readonly clientSecret: string };
    };

/** Makes connectors and keeps them: one per store and mapped location. */
export interface ConnectorDirectory {
  /** `locationId`: the Shopify location that a pair maps; null: the primary one. */
  forStore(store: StoreRow, locationId: string | null): Connector;
  /** A connector for credentials that are not stored yet. Throws `Refusal` when the address itself can't be used. */
  probe(
    credentials: StoreCredentials,
    webhookSecret: string,
  ): { readonly connector: Connector; readonly address: string };
  /** Forgets a store's connectors: its credentials or info changed, or it is gone. */
  forget(storeId: StoreRow['id']): void;
}
