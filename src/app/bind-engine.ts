import { isPing } from '../connectors/woocommerce/webhook.ts';
import { findStore } from '../db/readers/pairs.ts';
import { resolveConflict } from '../engine/conflicts/resolve-conflict.ts';
import type { EngineContext } from '../engine/context.ts';
import { heldBy } from '../engine/held-by.ts';
import { createPair, deletePair, updatePairSettings } from '../engine/pairs/create-pair.ts';
import { pausePair, resumePair } from '../engine/pairs/halt-pair.ts';
import { discardPlan, requestPlan } from '../engine/plan/plan-pair.ts';
import { applyPlan, cancelRun, requestRun } from '../engine/runs/request-run.ts';
import { retryProblem } from '../engine/runs/retry-problem.ts';
import { createDeliveryIntake } from '../engine/signals/accept-delivery.ts';
import { watchLargeDeliveries } from '../engine/signals/large-deliveries.ts';
import { enterCount } from '../engine/stock/enter-count.ts';
import { connectStore, disconnectStore, testStore } from '../engine/stores/connect-store.ts';
import { moveStore } from '../engine/stores/move-store.ts';
import { renameStore } from '../engine/stores/rename-store.ts';
import { renewCredentials } from '../engine/stores/renew-credentials.ts';
import { rotateWebhookSecret } from '../engine/stores/rotate-webhook-secret.ts';
import type { EngineApi } from '../http/engine-api.ts';
import type { AppConnectorDirectory } from './connector-directory.ts';

/** The engine's use cases with their context, as HTTP calls them. */
export function bindEngine(ctx: EngineContext, connectors: AppConnectorDirectory): EngineApi {
  const intake = createDeliveryIntake(ctx);
  return {
    connectStore: (command) => connectStore(ctx, command),
    testStore: (id) => testStore(ctx, id),
    renewCredentials: (id, credentials) => renewCredentials(ctx, id, credentials),
    moveStore: (command) => moveStore(ctx, command),
    renameStore: (id, name) => renameStore(ctx, id, name),
    rotateWebhookSecret: (id) => rotateWebhookSecret(ctx, id),
    disconnectStore: (id) => disconnectStore(ctx, id),
    async acceptDelivery(storeId, delivery) {
      const isGreeting = isPing(delivery.headers, delivery.body);
      if (isGreeting && findStore(ctx.db, storeId)?.platform === 'woocommerce') return 'ping';
      return intake(storeId, delivery);
    },
    noteLargeDelivery: watchLargeDeliveries(ctx),
    createPair: (command) => createPair(ctx, command),
    updatePairSettings: (id, settings) => updatePairSettings(ctx, id, settings),
    deletePair: (id) => deletePair(ctx, id),
    pausePair: (id) => pausePair(ctx, id),
    resumePair: (id) => resumePair(ctx, id),
    requestPlan: (id) => requestPlan(ctx, id),
    discardPlan: (id) => discardPlan(ctx, id),
    applyPlan: (id, hash) => applyPlan(ctx, id, hash),
    requestRun: (command) => requestRun(ctx, command),
    cancelRun: (id) => cancelRun(ctx, id),
    resolveConflict: (command) => resolveConflict(ctx, command),
    heldBy: (id) => heldBy(ctx, id),
    countStock: (command) => enterCount(ctx, command),
    retryProblem: (id) => retryProblem(ctx, id),
    storeHealth: (id) => connectors.health(id),
  };
}
