import type { PairRow } from '../db/schema/pair.ts';
import type { PlanRow, RunRow } from '../db/schema/run.ts';
import type { StoreRow } from '../db/schema/store.ts';
import type { StoreCredentials } from '../engine/context.ts';
import type { HeldRecord } from '../engine/held-by.ts';
import type { CountCommand, CountResult } from '../engine/stock/count-stock.ts';
import type { MoveStoreCommand } from '../engine/stores/move-store.ts';
import type { ConflictId, PairId, PlanId, ProblemId, ProductId, RunId, StoreId, WorkspaceId } from '../model/ids.ts';
import type { PairSettings } from '../model/pair.ts';
import type { PerSide } from '../model/platform.ts';
import type { RunTrigger } from '../model/run.ts';
import type { Finding } from '../model/store-info.ts';
import type { ConnectorHealth, RawDelivery } from '../ports/connector.ts';

/** The engine's use cases as routes call them: `app.ts` binds them to the engine's context, tests pass their own. */
export interface EngineApi {
  connectStore(command: {
    readonly workspaceId: WorkspaceId;
    readonly name: string;
    readonly platform: StoreCredentials['platform'];
    readonly credentials: StoreCredentials;
    readonly isSandbox?: boolean;
  }): Promise<{ readonly store: StoreRow; readonly findings: readonly Finding[] }>;
  testStore(storeId: StoreId): Promise<readonly Finding[]>;
  renewCredentials(storeId: StoreId, credentials: StoreCredentials): Promise<readonly Finding[]>;
  moveStore(command: MoveStoreCommand): Promise<readonly Finding[]>;
  renameStore(storeId: StoreId, name: string): void;
  rotateWebhookSecret(storeId: StoreId): void;
  disconnectStore(storeId: StoreId): Promise<void> | void;
  acceptDelivery(
    storeId: StoreId,
    delivery: RawDelivery,
  ): Promise<'stored' | 'duplicate' | 'not_authentic' | 'unknown_store' | 'ping'>;
  /** Something for the store's webhooks was larger than we take. */
  noteLargeDelivery(storeId: StoreId): void;
  createPair(command: {
    readonly workspaceId: WorkspaceId;
    readonly woocommerceStoreId: StoreId;
    readonly shopifyStoreId: StoreId;
    readonly settings?: Partial<PairSettings>;
  }): PairRow | Promise<PairRow>;
  updatePairSettings(pairId: PairId, settings: Partial<PairSettings>): PairRow | Promise<PairRow>;
  deletePair(pairId: PairId): void | Promise<void>;
  pausePair(pairId: PairId): unknown;
  resumePair(pairId: PairId): unknown;
  requestPlan(pairId: PairId): PlanRow | Promise<PlanRow>;
  discardPlan(planId: PlanId): unknown;
  applyPlan(planId: PlanId, hash: string): RunRow | Promise<RunRow>;
  requestRun(command: { readonly pairId: PairId; readonly trigger: RunTrigger }): RunRow | Promise<RunRow>;
  cancelRun(runId: RunId): unknown;
  resolveConflict(command: {
    readonly conflictId: ConflictId;
    readonly expectedVersion: number;
    readonly choice: 'hub' | 'remote' | 'value';
    readonly value?: unknown;
  }): unknown;
  heldBy(productId: ProductId): PerSide<HeldRecord | null>;
  countStock(command: CountCommand): Promise<CountResult>;
  retryProblem(problemId: ProblemId): unknown;
  /** How a store has been answering since the server started; null when it was not called yet. */
  storeHealth(storeId: StoreId): ConnectorHealth | null;
}
