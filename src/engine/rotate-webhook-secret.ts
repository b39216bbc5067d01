import { transact } from '../db/database.ts';
import { findStore } from '../db/readers/pairs.ts';
import { enqueueJob } from '../db/writers/jobs.ts';
import { updateStore } from '../db/writers/stores.ts';
import { DAY_MS } from '../lib/time.ts';
import type { StoreId } from '../model/ids.ts';
import { type ClaimedJob, JOB_PRIORITY, type JobOutcome } from '../model/job.ts';
import { Refusal } from '../model/refusal.ts';
import { enqueueWebhookCheck } from './connect-store.ts';
import type { EngineContext } from './context.ts';
import { TASKS } from './enqueue.ts';
import { DONE } from './outcome.ts';

/** How long deliveries signed with the secret of before are still taken: the store may have some waiting. */
const OVERLAP_MS = DAY_MS;

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
    const at = ctx.clock.now();
    const secret = ctx.random.id('whs_') + ctx.random.id('');
    updateStore(tx, storeId, {
      webhookSecret: ctx.cipher.seal(secret, `store.webhook_secret:${storeId}`),
      webhookSecretPrevious: store.webhookSecret,
    });
    enqueueWebhookCheck(tx, storeId, at);
    enqueueJob(tx, {
      key: `retire_secret:${storeId}`,
      task: TASKS.retireSecret,
      groupKey: storeId,
      payload: { storeId },
      priority: JOB_PRIORITY.housekeeping,
      runAt: at + OVERLAP_MS,
    });
  });
  // Connectors hold the secrets that they were made with.
  ctx.connectors.forget(storeId);
}

/** The job: a day after a rotation only the new secret is good. */
export function retireSecret(ctx: EngineContext, job: ClaimedJob): JobOutcome {
  const { storeId } = job.payload as { storeId: StoreId };
  transact(ctx.db, (tx) => updateStore(tx, storeId, { webhookSecretPrevious: null }));
  ctx.connectors.forget(storeId);
  return DONE;
}
