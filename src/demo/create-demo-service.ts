import type { AccountsContext, Device } from '../accounts/context.ts';
import { transact } from '../db/database.ts';
import { listDemoWorkspaces } from '../db/readers/workspaces.ts';
import { purgeWorkspace } from '../db/writers/purge-workspace.ts';
import type { EngineContext } from '../engine/context.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { WorkspaceId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import { Refusal } from '../model/refusal.ts';
import { QUANTITY_MAX } from '../model/stock.ts';
import type { DemoEngine } from './demo-engine.ts';
import { DEMO_IDLE_MINUTES, DEMO_SESSIONS_MAX, type DemoOpened, type DemoService } from './demo-service.ts';
import { type DemoSession, openDemoSession } from './open-demo-session.ts';
import type { ShelfAction, ShelfItem } from './shelf.ts';

export interface DemoDeps {
  readonly accounts: AccountsContext;
  readonly engine: DemoEngine;
  readonly connectors: Pick<EngineContext['connectors'], 'forget'>;
  /** Lets connectors call this origin; returns how to take that back. */
  readonly trustOrigin: (origin: string) => () => void;
}

const IDLE_MS = DEMO_IDLE_MINUTES * MINUTE_MS;
const SWEEP_EVERY_MS = MINUTE_MS;

interface Place {
  readonly session: DemoSession;
  lastSeenAt: number;
}

/** Starts without sessions: what an earlier process left behind has lost its stores and is taken away. */
export function createDemoService(deps: DemoDeps): DemoService {
  const { db, clock, log } = deps.accounts;
  const places = new Map<WorkspaceId, Place>();
  let opening = 0;
  let isClosed = false;
  for (const { id } of listDemoWorkspaces(db)) purge(id);
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.error({ error: String(error) }, 'demo clean-up failed'));
  }, SWEEP_EVERY_MS);
  timer.unref();

  function purge(workspaceId: WorkspaceId): void {
    for (const storeId of transact(db, (tx) => purgeWorkspace(tx, workspaceId, clock.now())))
      deps.connectors.forget(storeId);
  }

  async function end(workspaceId: WorkspaceId): Promise<void> {
    const place = places.get(workspaceId);
    places.delete(workspaceId);
    purge(workspaceId);
    await place?.session.close();
    // What a job that was under way wrote meanwhile goes too.
    purge(workspaceId);
  }

  async function sweep(): Promise<void> {
    const now = clock.now();
    for (const [workspaceId, place] of [...places]) {
      if (now - place.lastSeenAt >= IDLE_MS) await end(workspaceId);
    }
  }

  function refuseFull(): void {
    if (places.size + opening < DEMO_SESSIONS_MAX) return;
    const oldest = Math.min(...[...places.values()].map((place) => place.lastSeenAt));
    const retryAfterMs = Math.max(MINUTE_MS, Number.isFinite(oldest) ? oldest + IDLE_MS - clock.now() : MINUTE_MS);
    const minutes = Math.ceil(retryAfterMs / MINUTE_MS);
    throw new Refusal(
      'DEMO_FULL',
      `All ${DEMO_SESSIONS_MAX} demo places are taken. One is free in ${minutes} minute${minutes === 1 ? '' : 's'} at the latest.`,
      { retryAfterMs },
    );
  }

  return {
    async open(device: Device): Promise<DemoOpened> {
      await sweep();
      refuseFull();
      opening += 1;
      try {
        const { session, opened } = await openDemoSession(deps, device, purge);
        const lastSeenAt = clock.now();
        places.set(session.workspaceId, { session, lastSeenAt });
        if (isClosed) await end(session.workspaceId);
        return { ...opened, expiresAt: lastSeenAt + IDLE_MS };
      } finally {
        opening -= 1;
      }
    },
    touch(workspaceId) {
      const place = places.get(workspaceId);
      if (place !== undefined) place.lastSeenAt = clock.now();
    },
    shelves(workspaceId) {
      const session = places.get(workspaceId)?.session;
      if (session === undefined) return null;
      const shelf = (side: Side) => ({
        storeId: session.storeIds[side],
        name: session.shelves[side].name,
        items: session.shelves[side].list(),
      });
      return { pairId: session.pairId, shelves: { woocommerce: shelf('woocommerce'), shopify: shelf('shopify') } };
    },
    act(workspaceId, side, action) {
      const shelf = places.get(workspaceId)?.session.shelves[side];
      if (shelf === undefined) return null;
      const find = () => shelf.list().find((item) => item.sku === action.sku) ?? null;
      refuseAction(find(), action);
      shelf.act(action);
      return find();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      for (const workspaceId of [...places.keys()]) await end(workspaceId);
    },
  };
}

function refuseAction(item: ShelfItem | null, action: ShelfAction): asserts item is ShelfItem {
  if (item === null) throw new Refusal('NOT_FOUND', `There is nothing with SKU ${action.sku} on this shelf.`);
  if (action.type === 'sell' && item.stock !== null && item.stock < action.quantity) {
    const left = item.stock <= 0 ? 'It is sold out' : `There are only ${item.stock}`;
    throw new Refusal('OUT_OF_STOCK', `${left}. Restock it first.`, { stock: item.stock });
  }
  if (action.type === 'restock' && (item.stock ?? 0) + action.quantity > QUANTITY_MAX / 1000) {
    const message = 'value: that is more than this shelf holds';
    throw new Refusal('VALIDATION', message, { fields: [{ field: 'value', message }] });
  }
}
