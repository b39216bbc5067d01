import type { PairRow } from '../db/schema/pair.ts';
import type { PlanRow, RunRow } from '../db/schema/run.ts';
import type { StoreRow } from '../db/schema/store.ts';
import type { StoreCredentials } from '../engine/context.ts';
import type { PairId, PlanId, StoreId, WorkspaceId } from '../model/ids.ts';
import type { Platform } from '../model/platform.ts';

/** The use cases that a demo goes through, the same ones that a person does. */
export interface DemoEngine {
  connectStore(command: {
    readonly workspaceId: WorkspaceId;
    readonly name: string;
    readonly platform: Platform;
    readonly credentials: StoreCredentials;
    readonly isSandbox?: boolean;
  }): Promise<{ readonly store: StoreRow }>;
  createPair(command: {
    readonly workspaceId: WorkspaceId;
    readonly woocommerceStoreId: StoreId;
    readonly shopifyStoreId: StoreId;
  }): PairRow | Promise<PairRow>;
  requestPlan(pairId: PairId): PlanRow | Promise<PlanRow>;
  applyPlan(planId: PlanId, hash: string): RunRow | Promise<RunRow>;
}
