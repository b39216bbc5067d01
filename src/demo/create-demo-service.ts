import type { AccountsContext, Device } from '../accounts/context.ts';
import { networkOf, sourceOf } from '../accounts/sources.ts';
import { transact } from '../db/database.ts';
import { listSandboxStores } from '../db/readers/sandbox.ts';
import { findWorkspace } from '../db/readers/workspaces.ts';
import { forgetSandboxGone } from '../db/writers/sandbox-gone.ts';
import type { EngineContext } from '../engine/context.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { WorkspaceId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import { Refusal } from '../model/refusal.ts';
import { createVisitor } from './create-visitor.ts';
import {
  DEMO_IDLE_MINUTES,
  DEMO_PER_NETWORK_MAX,
  DEMO_PER_SOURCE_MAX,
  DEMO_SESSIONS_MAX,
  type DemoDataLoaded,
  type DemoDataRemoved,
  type DemoOpened,
  type DemoService,
} from './demo-service.ts';
import { openSandbox, type Sandbox, type SandboxDeps } from './open-sandbox.ts';
import { refuseAction } from './refuse-action.ts';
import { type EndReason, type TakenAway, takeDemoDataAway, takeVisitorAway } from './take-away.ts';

export interface DemoDeps extends SandboxDeps {
  readonly accounts: AccountsContext;
  readonly connectors: Pick<EngineContext['connectors'], 'forget'>;
}

const IDLE_MS = DEMO_IDLE_MINUTES * MINUTE_MS;
const SWEEP_EVERY_MS = MINUTE_MS;
/** A job that was under way when its pair went has ended by then, and so has what it stored meanwhile. */
const LATE_MS = 5 * MINUTE_MS;

/** Whose workspace it is in, and so what goes with it. */
interface Kind {
  readonly takeAway: (reason: EndReason) => TakenAway;
  /** True: people have taken it apart themselves, and it keeps a place for nothing. */
  readonly isOver: () => boolean;
}

interface Place {
  readonly sandbox: Sandbox;
  readonly kind: Kind;
  readonly device: Device;
  lastSeenAt: number;
}

/** Starts without any: what an earlier process left behind is taken away before (`clearLeftDemos`). */
export function createDemoService(deps: DemoDeps): DemoService {
  const { accounts, connectors } = deps;
  const { db, clock, log } = accounts;
  const places = new Map<WorkspaceId, Place>();
  /** Demo data that is being added: a place is kept for it. */
  const loading = new Map<WorkspaceId, Promise<unknown>>();
  /** What is swept once more. */
  const late = new Set<{ readonly taken: TakenAway; readonly until: number }>();
  /** Places that are being made ready, by who asked for them. */
  const opening: Device[] = [];
  let isClosed = false;
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.error({ error: String(error) }, 'demo clean-up failed'));
  }, SWEEP_EVERY_MS);
  timer.unref();

  function takeAway(kind: Kind, reason: EndReason): TakenAway {
    const taken = kind.takeAway(reason);
    for (const storeId of taken.stores) connectors.forget(storeId);
    late.add({ taken, until: clock.now() + LATE_MS });
    return taken;
  }

  async function end(workspaceId: WorkspaceId, reason: EndReason): Promise<TakenAway | null> {
    const place = places.get(workspaceId);
    if (place === undefined) return null;
    // First what may fail, where the disk is full: its place stays then, and the next try finds it.
    const taken = takeAway(place.kind, reason);
    places.delete(workspaceId);
    await place.sandbox.close();
    taken.again();
    return taken;
  }

  /** One that could not be ended holds up no other. */
  function logFailure(workspaceId: WorkspaceId, error: unknown): void {
    log.error({ workspaceId, error: String(error) }, 'a demo could not be taken away');
  }

  function sweepLate(): void {
    const now = clock.now();
    for (const one of late) {
      one.taken.again();
      if (now >= one.until) late.delete(one);
    }
  }

  async function sweep(): Promise<void> {
    sweepLate();
    const now = clock.now();
    for (const [workspaceId, place] of [...places]) {
      if (now - place.lastSeenAt < IDLE_MS && !place.kind.isOver()) continue;
      await end(workspaceId, 'idle').catch((error: unknown) => logFailure(workspaceId, error));
    }
  }

  /** Refuses where those who `isCounted` have `max` places already. */
  function refuseFrom(max: number, isCounted: (device: Device) => boolean, words: string): void {
    const taken = [...places.values()].filter(({ device }) => isCounted(device));
    if (taken.length + opening.filter(isCounted).length < max) return;
    const oldest = Math.min(...taken.map((place) => place.lastSeenAt));
    // None is there to become idle while all are only being made ready.
    const isAnyOpen = Number.isFinite(oldest);
    const retryAfterMs = Math.max(MINUTE_MS, isAnyOpen ? oldest + IDLE_MS - clock.now() : MINUTE_MS);
    const minutes = Math.ceil(retryAfterMs / MINUTE_MS);
    const wait = `${minutes} minute${minutes === 1 ? '' : 's'}`;
    // Whoever has it may use it again at any moment, and nothing limits for how long.
    const hint = isAnyOpen ? `One is free in ${wait} if nobody uses it until then.` : `Try again in ${wait}.`;
    throw new Refusal('DEMO_FULL', `${words} ${hint}`, { retryAfterMs });
  }

  /** First the shares: who has theirs is told so, also where nobody gets any more. */
  function refuseFull(device: Device): void {
    // On the machine itself nobody else is kept out by it but its owner.
    if (!device.isLocal) {
      const source = sourceOf(device.ip);
      const network = networkOf(device.ip);
      const isSource = ({ ip, isLocal }: Device) => !isLocal && sourceOf(ip) === source;
      const isNetwork = ({ ip, isLocal }: Device) => !isLocal && networkOf(ip) === network;
      const words = (count: number) =>
        `Your network has ${count} demo places already; the others are for other people.`;
      refuseFrom(DEMO_PER_SOURCE_MAX, isSource, words(DEMO_PER_SOURCE_MAX));
      refuseFrom(DEMO_PER_NETWORK_MAX, isNetwork, words(DEMO_PER_NETWORK_MAX));
    }
    refuseFrom(DEMO_SESSIONS_MAX, () => true, `All ${DEMO_SESSIONS_MAX} demo places are taken.`);
  }

  /** Of one that fails nothing is left. */
  async function settle(workspaceId: WorkspaceId, device: Device, kind: Kind): Promise<Place> {
    opening.push(device);
    try {
      const sandbox = await openSandbox(deps, workspaceId);
      const place = { sandbox, kind, device, lastSeenAt: clock.now() };
      places.set(workspaceId, place);
      if (isClosed || findWorkspace(db, workspaceId) === null) await end(workspaceId, 'restart');
      return place;
    } catch (error) {
      takeAway(kind, 'failed');
      throw error;
    } finally {
      opening.splice(opening.indexOf(device), 1);
    }
  }

  async function load(workspaceId: WorkspaceId, device: Device): Promise<DemoDataLoaded> {
    await sweep();
    if (places.has(workspaceId)) {
      throw new Refusal(
        'DEMO_DATA_PRESENT',
        'The demo data is in this workspace already. Remove it first to begin anew.',
      );
    }
    refuseFull(device);
    const place = await settle(workspaceId, device, {
      takeAway: (reason) => takeDemoDataAway(accounts, workspaceId, reason),
      // Its stores were disconnected one by one, or the workspace was deleted.
      isOver: () => listSandboxStores(db, workspaceId).length === 0,
    });
    if (!places.has(workspaceId)) throw new Refusal('NOT_FOUND', 'This workspace is gone, or the server is stopping.');
    const { pairId, runId, stores } = place.sandbox;
    return { pairId, runId, stores, expiresAt: place.lastSeenAt + IDLE_MS };
  }

  return {
    async open(device: Device): Promise<DemoOpened> {
      await sweep();
      refuseFull(device);
      const signedIn = createVisitor(accounts, device);
      const workspaceId = signedIn.workspace.id;
      const { sandbox, lastSeenAt } = await settle(workspaceId, device, {
        takeAway: () => takeVisitorAway(accounts, workspaceId),
        isOver: () => false,
      });
      const { pairId, storeIds, runId } = sandbox;
      return { ...signedIn, pairId, storeIds, runId, expiresAt: lastSeenAt + IDLE_MS };
    },
    async load(workspaceId, device) {
      if (loading.has(workspaceId)) {
        throw new Refusal('DEMO_DATA_PRESENT', 'The demo data is being added to this workspace just now.');
      }
      const added = load(workspaceId, device);
      loading.set(workspaceId, added);
      try {
        return await added;
      } finally {
        loading.delete(workspaceId);
      }
    },
    async unload(workspaceId): Promise<DemoDataRemoved | null> {
      await loading.get(workspaceId)?.catch(() => undefined);
      const taken = await end(workspaceId, 'person');
      return taken === null ? null : { stores: taken.stores.length, pairs: taken.pairs };
    },
    touch(workspaceId) {
      const place = places.get(workspaceId);
      if (place !== undefined) place.lastSeenAt = clock.now();
    },
    shelves(workspaceId) {
      const sandbox = places.get(workspaceId)?.sandbox;
      if (sandbox === undefined) return null;
      const shelf = (side: Side) => ({
        storeId: sandbox.storeIds[side],
        name: sandbox.shelves[side].name,
        items: sandbox.shelves[side].list(),
      });
      return { pairId: sandbox.pairId, shelves: { woocommerce: shelf('woocommerce'), shopify: shelf('shopify') } };
    },
    act(workspaceId, side, action) {
      const place = places.get(workspaceId);
      if (place === undefined) return null;
      const shelf = place.sandbox.shelves[side];
      const find = () => shelf.list().find((item) => item.sku === action.sku) ?? null;
      refuseAction(find(), action);
      // Also by a program, which does not keep the sandbox by whatever else it asks.
      place.lastSeenAt = clock.now();
      shelf.act(action);
      return find();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      // What could not be taken away now is at the next start.
      for (const [workspaceId, { sandbox }] of [...places])
        await end(workspaceId, 'restart').catch((error: unknown) => {
          logFailure(workspaceId, error);
          return sandbox.close();
        });
      sweepLate();
      transact(db, forgetSandboxGone);
    },
  };
}
