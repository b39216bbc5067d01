import { isPing } from '../connectors/woocommerce/webhook.ts';
import { findStore } from '../db/readers/pairs.ts';
import { createDeliveryIntake } from '../engine/accept-delivery.ts';
import { connectStore, disconnectStore, testStore } from '../engine/connect-store.ts';
import type { EngineContext } from '../engine/context.ts';
import { countStock } from '../engine/count-stock.ts';
import { createPair, deletePair, updatePairSettings } from '../engine/create-pair.ts';
import { pausePair, resumePair } from '../engine/halt-pair.ts';
import { moveStore } from '../engine/move-store.ts';
import { discardPlan, requestPlan } from '../engine/plan-pair.ts';
import { renameStore } from '../engine/rename-store.ts';
import { renewCredentials } from '../engine/renew-credentials.ts';
import { applyPlan, cancelRun, requestRun } from '../engine/request-run.ts';
import { resolveConflict } from '../engine/resolve-conflict.ts';
import { retryProblem } from '../engine/retry-problem.ts';
import { rotateWebhookSecret } from '../engine/rotate-webhook-secret.ts';
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
    countStock: (command) => countStock(ctx, command),
    retryProblem: (id) => retryProblem(ctx, id),
    storeHealth: (id) => connectors.health(id),
  };
}
