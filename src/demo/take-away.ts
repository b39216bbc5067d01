import { type Db, type Tx, transact } from '../db/database.ts';
import { listWorkspacesWithSandbox } from '../db/readers/sandbox.ts';
import { findWorkspace, listDemoWorkspaces } from '../db/readers/workspaces.ts';
import { recordEvent } from '../db/writers/events.ts';
import { dropSandboxRows, purgeSandbox, type SandboxGone } from '../db/writers/purge-sandbox.ts';
import { purgeWorkspace } from '../db/writers/purge-workspace.ts';
import { forgetSandboxGone } from '../db/writers/sandbox-gone.ts';
import type { StoreId, WorkspaceId } from '../model/ids.ts';

/** Why demo data went: people who did not do it themselves are told. */
export type EndReason = 'person' | 'idle' | 'restart' | 'failed';

/** What is stored of a sandbox, taken away in one transaction. */
export interface TakenAway {
  readonly stores: readonly StoreId[];
  readonly pairs: number;
  /** Takes away what a job under way has stored meanwhile. */
  again(): void;
}

interface Context {
  readonly db: Db;
  readonly clock: { now(): number };
}

/** A visitor's demo is its whole workspace. */
export function takeVisitorAway({ db, clock }: Context, workspaceId: WorkspaceId): TakenAway {
  const purge = () => transact(db, (tx) => purgeWorkspace(tx, workspaceId, clock.now()));
  return { stores: purge(), pairs: 1, again: () => void purge() };
}

/** Demo data is one part of a workspace. Its history goes with it; that it was there and is gone stays as one line. */
export function takeDemoDataAway({ db, clock }: Context, workspaceId: WorkspaceId, reason: EndReason): TakenAway {
  const gone = transact(db, (tx) => {
    const at = clock.now();
    const taken = purgeSandbox(tx, workspaceId, at);
    if (taken.stores.length > 0 && findWorkspace(tx, workspaceId) !== null) noteRemoved(tx, taken, reason, at);
    return taken;
  });
  const { stores, pairs } = gone;
  return { stores, pairs: pairs.length, again: () => transact(db, (tx) => dropSandboxRows(tx, gone, clock.now())) };
}

function noteRemoved(tx: Tx, { workspaceId, stores, pairs }: SandboxGone, reason: EndReason, at: number): void {
  const payload = { reason, stores: stores.length, pairs: pairs.length };
  recordEvent(tx, { workspaceId, pairId: null, type: 'demo_data_removed', payload, at });
}

/** At start, whether or not there is to be a demo: what an earlier process left behind has lost its stores. */
export function clearLeftDemos(ctx: Context): void {
  for (const { id } of listDemoWorkspaces(ctx.db)) takeVisitorAway(ctx, id);
  for (const id of listWorkspacesWithSandbox(ctx.db)) takeDemoDataAway(ctx, id, 'restart');
  transact(ctx.db, forgetSandboxGone);
}
