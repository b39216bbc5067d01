import { type Tx, transact } from '../../db/database.ts';
import { findStore, findStoreByIdentity, listPairsOfStore } from '../../db/readers/pairs.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { moveAdminUrls } from '../../db/writers/products.ts';
import { updateStore } from '../../db/writers/stores.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { StoreId } from '../../model/ids.ts';
import { Refusal } from '../../model/refusal.ts';
import type { Finding } from '../../model/store-info.ts';
import type { EngineContext, StoreCredentials } from '../context.ts';
import { enqueueFullSync } from '../enqueue.ts';
import { refuseMovedRing, refuseTwin } from '../pairs/refuse-ring.ts';
import { enqueueWebhookCheck } from './connect-store.ts';
import { examine, secretOf } from './examine-store.ts';
import { takeKeys } from './renew-credentials.ts';
import { proveSameShop } from './same-shop.ts';
import { noteStoreWorks } from './store-state.ts';
import { webhookAddress } from './webhook-address.ts';

export interface MoveStoreCommand {
  readonly storeId: StoreId;
  /** As a person typed it. */
  readonly address: string;
  /** Null: those that the store has, which are sent to the place that has them already, and to no other. */
  readonly credentials: StoreCredentials | null;
}

/** How long the old address may take over giving up our webhooks, ms. */
const TAKE_AWAY_MS = 5_000;

/**
 * Another address for a shop that is connected: examined, and proved to be the same shop, before anything is stored. Pairs, links and history
 * stay; its pairs are looked at as a whole once, for a copy of a shop may have changed before anybody told us. Refuses with NOT_FOUND,
 * VALIDATION, STORE_CHECK_FAILED, DIFFERENT_SHOP, STORE_ALREADY_CONNECTED, PAIR_EXISTS and PAIR_RING.
 */
export async function moveStore(ctx: EngineContext, command: MoveStoreCommand): Promise<readonly Finding[]> {
  const { storeId } = command;
  const known = findStore(ctx.db, storeId);
  if (known === null) throw notFound();
  const stored = JSON.parse(ctx.cipher.open(known.credentials, `store.credentials:${storeId}`)) as StoreCredentials;
  const oldSecret = ctx.cipher.open(known.webhookSecret, `store.webhook_secret:${storeId}`);
  const credentials = command.credentials ?? at(stored, command.address);
  const secret = secretOf(credentials) || oldSecret;
  const { connector, address } = ctx.connectors.probe(credentials, secret);
  try {
    if (command.credentials === null && !areKeysAtHome(known.address, address)) throw keysNeeded(known);
    const { info, findings } = await examine(ctx, connector, known.platform);
    const move = await proveSameShop(ctx.db, known, connector);
    transact(ctx.db, (tx) => {
      const store = findStore(tx, storeId);
      if (store === null) throw notFound();
      refuseTaken(tx, store, address, info.identity);
      updateStore(tx, storeId, { address, identity: info.identity });
      // It is proved to be the same shop: what it said of itself before (its tax basis) holds where the new address does not say.
      const known = store.info === null ? null : { ...store.info, identity: info.identity };
      takeKeys(ctx, tx, { ...store, info: known }, { credentials, secret, info, findings });
      if (move !== null) moveAdminUrls(tx, storeId, move.from, move.to);
      const now = ctx.clock.now();
      enqueueWebhookCheck(tx, storeId, now + TAKE_AWAY_MS);
      for (const pair of listPairsOfStore(tx, storeId))
        if (pair.linkedAt !== null && pair.settings.syncSchedule !== 'manual') enqueueFullSync(tx, pair.id, now);
      recordEvent(tx, {
        workspaceId: store.workspaceId,
        pairId: null,
        type: 'store_moved',
        payload: { storeId, name: store.name, from: store.address, to: address },
        at: now,
      });
    });
    ctx.connectors.forget(storeId);
    noteStoreWorks(ctx, storeId);
    // The same home by another road: what is there is to stay.
    if (info.identity !== known.identity) await takeWebhooksAway(ctx, known, at(stored, known.address));
    transact(ctx.db, (tx) => enqueueWebhookCheck(tx, storeId, ctx.clock.now()));
    return findings;
  } finally {
    await connector.close();
  }
}

/** The same shop is one store of a workspace, the same two shops are one pair of the instance, and no pairs make a ring. */
function refuseTaken(tx: Tx, store: StoreRow, address: string, identity: string): void {
  const other = findStoreByIdentity(tx, store.workspaceId, store.platform, identity);
  if (other !== null && other.id !== store.id)
    throw new Refusal('STORE_ALREADY_CONNECTED', `At this address is ${other.name}, which is connected already.`, {
      identity,
    });
  for (const pair of listPairsOfStore(tx, store.id)) {
    const identityOf = (id: StoreId) => (id === store.id ? identity : findStore(tx, id)?.identity);
    refuseTwin(tx, store.workspaceId, identityOf(pair.woocommerceStoreId), identityOf(pair.shopifyStoreId));
  }
  refuseMovedRing(tx, store, address, identity);
}

/** A copy that was left behind must not go on telling; best effort, for it may be gone. */
async function takeWebhooksAway(ctx: EngineContext, store: StoreRow, credentials: StoreCredentials): Promise<void> {
  const callback = webhookAddress(ctx, store.id);
  if (callback === null) return;
  const { connector } = ctx.connectors.probe(credentials, '');
  try {
    await connector.removeWebhooks(callback, AbortSignal.timeout(TAKE_AWAY_MS));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    ctx.log.warn(
      { storeId: store.id, kind: error.kind },
      'webhooks could not be removed from the address that a store has left',
    );
  } finally {
    await connector.close();
  }
}

function at(credentials: StoreCredentials, address: string): StoreCredentials {
  return credentials.platform === 'woocommerce'
    ? { ...credentials, url: address }
    : { ...credentials, shopDomain: address };
}

/**
 * Whether who answers at `next` has the keys anyway: stored keys are never shown to anybody, nor sent to wherever somebody likes. Another port or
 * folder of a host may be somebody else's. All names of Shopify lead to Shopify.
 */
function areKeysAtHome(known: string, next: string): boolean {
  const [from, to] = [placeOf(known), placeOf(next)];
  return from === to || [from, to].every((place) => /^[^/:]+\.myshopify\.com$/.test(place));
}

/** Host, port and folder. Whether it is said with www or not, and called by http or https, makes no other hands of it. */
function placeOf(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/^www\./, '');
}

function keysNeeded(store: StoreRow): Refusal {
  const field = store.platform === 'woocommerce' ? 'consumerKey' : 'accessToken';
  const message =
    'Enter the keys, too: the stored ones are only sent to the domain, port and folder that have them already.';
  return new Refusal('VALIDATION', message, { fields: [{ field, message }] });
}

function notFound(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such store.');
}
