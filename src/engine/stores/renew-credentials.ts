import { type Tx, transact } from '../../db/database.ts';
import { findStore, listPairsOfStore } from '../../db/readers/pairs.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { wakeGroup } from '../../db/writers/jobs.ts';
import { updateStore } from '../../db/writers/stores.ts';
import type { StoreId } from '../../model/ids.ts';
import { Refusal } from '../../model/refusal.ts';
import type { Finding } from '../../model/store-info.ts';
import type { EngineContext, StoreCredentials } from '../context.ts';
import { noteFindings } from './check-store.ts';
import { enqueueWebhookCheck } from './connect-store.ts';
import { type Examined, examineStore, secretOf } from './examine-store.ts';
import { replaceWebhookSecret } from './rotate-webhook-secret.ts';
import { noteStoreWorks } from './store-state.ts';

/**
 * New keys for a store that is connected, at the address that it has: examined at once, and put in the place of the old ones only when they
 * work. What waited because the old ones were refused goes on. Refuses with NOT_FOUND and STORE_CHECK_FAILED.
 */
export async function renewCredentials(
  ctx: EngineContext,
  storeId: StoreId,
  credentials: StoreCredentials,
): Promise<readonly Finding[]> {
  const known = findStore(ctx.db, storeId);
  if (known === null) throw notFound();
  const oldSecret = ctx.cipher.open(known.webhookSecret, `store.webhook_secret:${storeId}`);
  // Left empty, the app and its secret are as they were.
  const secret = secretOf(credentials) || oldSecret;
  const { info, findings } = await examineStore(ctx, credentials, secret);
  transact(ctx.db, (tx) => {
    const store = findStore(tx, storeId);
    if (store === null) throw notFound();
    takeKeys(ctx, tx, store, { credentials, secret, info, findings });
    const at = ctx.clock.now();
    enqueueWebhookCheck(tx, storeId, at);
    recordEvent(tx, {
      workspaceId: store.workspaceId,
      pairId: null,
      type: 'store_keys_renewed',
      payload: { storeId, name: store.name },
      at,
    });
  });
  ctx.connectors.forget(storeId);
  noteStoreWorks(ctx, storeId);
  return findings;
}

/** Keys that were found to work take the place of the old ones, with what was found. */
export function takeKeys(
  ctx: EngineContext,
  tx: Tx,
  store: StoreRow,
  keys: Omit<Examined, 'address'> & { readonly credentials: StoreCredentials; readonly secret: string },
): void {
  const { credentials, secret, info, findings } = keys;
  updateStore(tx, store.id, {
    credentials: ctx.cipher.seal(JSON.stringify(credentials), `store.credentials:${store.id}`),
  });
  const oldSecret = ctx.cipher.open(store.webhookSecret, `store.webhook_secret:${store.id}`);
  if (secret !== oldSecret) replaceWebhookSecret(ctx, tx, store, secret);
  noteFindings(ctx, tx, store, info, findings);
  // Who is just being refused for the old keys does not wait a minute with the new ones.
  for (const pair of listPairsOfStore(tx, store.id)) wakeGroup(tx, pair.id, ctx.clock.now());
}

function notFound(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such store.');
}
