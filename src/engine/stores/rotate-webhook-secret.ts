import { type Tx, transact } from '../../db/database.ts';
import { findStore } from '../../db/readers/pairs.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import { updateStore } from '../../db/writers/stores.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { StoreId } from '../../model/ids.ts';
import { type ClaimedJob, JOB_PRIORITY, type JobOutcome } from '../../model/job.ts';
import { Refusal } from '../../model/refusal.ts';
import type { EngineContext } from '../context.ts';
import { TASKS } from '../enqueue.ts';
import { DONE } from '../outcome.ts';
import { enqueueWebhookCheck } from './connect-store.ts';
import { newWebhookSecret } from './examine-store.ts';
import { openOldSecrets, sealOldSecrets } from './old-secrets.ts';

/** How long deliveries signed with the secret of before are still taken: the store may have some waiting. */
const OVERLAP_MS = DAY_MS;
/** Each is one more that every delivery is compared with. */
const OLD_MAX = 10;

/**
 * A new secret for the webhooks of a WooCommerce store: they are signed anew at once, and for a day both secrets are good. Shopify signs with
 * the app's own secret, which is changed there. Refuses with NOT_FOUND, NOT_OURS_TO_ROTATE and ROTATION_UNDER_WAY.
 */
export function rotateWebhookSecret(ctx: EngineContext, storeId: StoreId): void {
  transact(ctx.db, (tx) => {
    const store = findStore(tx, storeId);
    if (store === null) throw new Refusal('NOT_FOUND', 'There is no such store.');
    if (store.platform !== 'woocommerce') {
      const message = "Shopify signs webhooks with your app's own secret: rotate it in the app's settings there.";
      throw new Refusal('NOT_OURS_TO_ROTATE', message);
    }
    if (store.webhookSecretPrevious !== null) {
      throw new Refusal('ROTATION_UNDER_WAY', 'The last rotation is less than a day old. Try again tomorrow.');
    }
    replaceWebhookSecret(ctx, tx, store, newWebhookSecret(ctx.random));
    enqueueWebhookCheck(tx, storeId, ctx.clock.now());
  });
  // Connectors hold the secrets that they were made with.
  ctx.connectors.forget(storeId);
}

/** For a day what was signed with the secret of before is taken, too, however soon it is replaced once more. */
export function replaceWebhookSecret(ctx: EngineContext, tx: Tx, store: StoreRow, secret: string): void {
  const until = ctx.clock.now() + OVERLAP_MS;
  const last = ctx.cipher.open(store.webhookSecret, `store.webhook_secret:${store.id}`);
  const old = [{ secret: last, until }, ...openOldSecrets(ctx.cipher, store).filter((one) => one.secret !== last)];
  updateStore(tx, store.id, {
    webhookSecret: ctx.cipher.seal(secret, `store.webhook_secret:${store.id}`),
    webhookSecretPrevious: sealOldSecrets(
      ctx.cipher,
      store.id,
      old.filter((one) => one.secret !== secret && one.secret !== '').slice(0, OLD_MAX),
    ),
  });
  enqueueJob(tx, {
    key: `retire_secret:${store.id}`,
    task: TASKS.retireSecret,
    groupKey: store.id,
    payload: { storeId: store.id },
    priority: JOB_PRIORITY.housekeeping,
    runAt: until,
  });
}

/** The job: a day after a secret was replaced it is no longer good. */
export function retireSecret(ctx: EngineContext, job: ClaimedJob): JobOutcome {
  const { storeId } = job.payload as { storeId: StoreId };
  const now = ctx.clock.now();
  const next = transact(ctx.db, (tx) => {
    const store = findStore(tx, storeId);
    if (store === null) return null;
    const left = openOldSecrets(ctx.cipher, store).filter(({ until }) => until > now);
    updateStore(tx, storeId, { webhookSecretPrevious: sealOldSecrets(ctx.cipher, storeId, left) });
    return left.at(-1)?.until ?? null;
  });
  ctx.connectors.forget(storeId);
  return next === null ? DONE : { type: 'snooze', ms: next - now };
}
