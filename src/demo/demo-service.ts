import type { Device } from '../accounts/context.ts';
import type { SignedIn } from '../accounts/open-session.ts';
import type { PairId, RunId, StoreId, WorkspaceId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import type { ShelfAction, ShelfItem } from './shelf.ts';

/** Of visitors' demos and demo data together. */
export const DEMO_SESSIONS_MAX = 20;
/** Of one source (an IPv4 address, an IPv6 /64), and of an IPv6 /48: others still get one. */
export const DEMO_PER_SOURCE_MAX = 5;
export const DEMO_PER_NETWORK_MAX = 10;
export const DEMO_IDLE_MINUTES = 30;

/** Sandbox stores that were connected and made a pair. */
export interface SandboxOpened {
  readonly pairId: PairId;
  /** The first sync; null when it was not ready in time and goes on by itself. */
  readonly runId: RunId | null;
  /** When it ends if nobody uses it, ms. */
  readonly expiresAt: number;
}

export interface DemoOpened extends SignedIn, SandboxOpened {
  readonly storeIds: Readonly<Record<Side, StoreId>>;
}

export interface DemoDataLoaded extends SandboxOpened {
  readonly stores: readonly { readonly storeId: StoreId; readonly name: string; readonly platform: Side }[];
}

export interface DemoDataRemoved {
  readonly stores: number;
  readonly pairs: number;
}

export interface DemoShelves {
  readonly pairId: PairId;
  readonly shelves: Readonly<
    Record<Side, { readonly storeId: StoreId; readonly name: string; readonly items: readonly ShelfItem[] }>
  >;
}

/** Sandbox stores that the real engine keeps the same: in a workspace of its own for each visitor, and as demo data in the workspaces of people. */
export interface DemoService {
  /** Refuses with DEMO_FULL (`details.retryAfterMs`) when all places are taken, or the share of this source is. */
  open(device: Device): Promise<DemoOpened>;
  /** Adds demo data to a workspace of people. Refuses with DEMO_DATA_PRESENT, also while it is being added, and with DEMO_FULL as above. */
  load(workspaceId: WorkspaceId, device: Device): Promise<DemoDataLoaded>;
  /** Takes demo data away again, and nothing else; one that is being added is waited for. Null: there is none. */
  unload(workspaceId: WorkspaceId): Promise<DemoDataRemoved | null>;
  /** Somebody used this workspace: its sandbox stays. */
  touch(workspaceId: WorkspaceId): void;
  /** Null: this workspace has no running sandbox. */
  shelves(workspaceId: WorkspaceId): DemoShelves | null;
  /** Refuses with NOT_FOUND, OUT_OF_STOCK or VALIDATION. Null: this workspace has no running sandbox. */
  act(workspaceId: WorkspaceId, side: Side, action: ShelfAction): ShelfItem | null;
  /** Ends all sandboxes. */
  close(): Promise<void>;
}
