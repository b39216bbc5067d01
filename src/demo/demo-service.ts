import type { Device } from '../accounts/context.ts';
import type { SignedIn } from '../accounts/open-session.ts';
import type { PairId, RunId, StoreId, WorkspaceId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import type { ShelfAction, ShelfItem } from './shelf.ts';

export const DEMO_SESSIONS_MAX = 20;
export const DEMO_PRODUCTS_MAX = 50;
export const DEMO_IDLE_MINUTES = 30;

export interface DemoOpened extends SignedIn {
  readonly pairId: PairId;
  readonly storeIds: Readonly<Record<Side, StoreId>>;
  /** The first sync; null when it was not ready in time and goes on by itself. */
  readonly runId: RunId | null;
  /** When it ends if nobody uses it, ms. */
  readonly expiresAt: number;
}

export interface DemoShelves {
  readonly pairId: PairId;
  readonly shelves: Readonly<
    Record<Side, { readonly storeId: StoreId; readonly name: string; readonly items: readonly ShelfItem[] }>
  >;
}

/** Demo sessions: a workspace with two sandbox stores that the real engine keeps the same, for one visitor each. */
export interface DemoService {
  /** Refuses with DEMO_FULL (`details.retryAfterMs`) when all places are taken. */
  open(device: Device): Promise<DemoOpened>;
  /** Somebody used this demo: it stays. */
  touch(workspaceId: WorkspaceId): void;
  /** Null: this workspace has no running demo. */
  shelves(workspaceId: WorkspaceId): DemoShelves | null;
  /** Refuses with NOT_FOUND, OUT_OF_STOCK or VALIDATION. Null: this workspace has no running demo. */
  act(workspaceId: WorkspaceId, side: Side, action: ShelfAction): ShelfItem | null;
  /** Ends all sessions and their stores. */
  close(): Promise<void>;
}
