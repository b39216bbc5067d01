import type { AccountsContext } from '../accounts/context.ts';
import { findWorkspaceRun } from '../db/readers/list-runs.ts';
import { countDueJobs } from '../db/readers/sandbox.ts';
import { findWorkspacePlan } from '../db/readers/view-plan.ts';
import type { PairId, RunId, StoreId, WorkspaceId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import { demoCatalogue, OUTLET_CATALOGUE } from './catalogue.ts';
import type { DemoEngine } from './demo-engine.ts';
import type { Shelf } from './shelf.ts';
import { openShopifyShelf } from './shopify-shelf.ts';
import { openWooShelf } from './woo-shelf.ts';

/** How long a person waits for the first sync before they are shown the shelves as they are. */
const FIRST_SYNC_WAIT_MS = 10_000;
const POLL_MS = 20;

export interface SandboxDeps {
  readonly accounts: Pick<AccountsContext, 'db' | 'clock' | 'log'>;
  readonly engine: DemoEngine;
  /** Lets connectors call this origin; returns how to take that back. */
  readonly trustOrigin: (origin: string) => () => void;
}

/** Running sandbox stores that are connected in a workspace: two that are a pair, and one without a partner. */
export interface Sandbox {
  readonly workspaceId: WorkspaceId;
  readonly pairId: PairId;
  readonly shelves: Readonly<Record<Side, Shelf>>;
  readonly storeIds: Readonly<Record<Side, StoreId>>;
  /** All of them, in the order in which they were connected. */
  readonly stores: readonly { readonly storeId: StoreId; readonly name: string; readonly platform: Side }[];
  /** The first sync; null when it was not ready in time and goes on by itself. */
  readonly runId: RunId | null;
  /** Ends the stores themselves. What is stored of them is the caller's to take away. */
  close(): Promise<void>;
}

/** Everything that a person would do: connect three stores, make a pair, read the plan, apply it. Of one that fails no store goes on running. */
export async function openSandbox(deps: SandboxDeps, workspaceId: WorkspaceId): Promise<Sandbox> {
  const { engine } = deps;
  const shelves: Shelf[] = [];
  const distrust: (() => void)[] = [];
  const stores: Sandbox['stores'][number][] = [];
  const close = async () => {
    for (const take of distrust) take();
    await Promise.all(shelves.map((shelf) => shelf.close()));
  };

  async function connect(shelf: Shelf): Promise<StoreId> {
    shelves.push(shelf);
    distrust.push(deps.trustOrigin(shelf.origin));
    const { platform } = shelf.credentials;
    const { credentials, name } = shelf;
    const { store } = await engine.connectStore({ workspaceId, name, platform, credentials, isSandbox: true });
    stores.push({ storeId: store.id, name, platform });
    return store.id;
  }

  try {
    const woocommerce = await openWooShelf('Harbour & Home', demoCatalogue('woocommerce'));
    const woocommerceStoreId = await connect(woocommerce);
    const shopify = await openShopifyShelf('Harbour & Home on Shopify', demoCatalogue('shopify'));
    const shopifyStoreId = await connect(shopify);
    await connect(await openWooShelf('Harbour Outlet', OUTLET_CATALOGUE));
    const { id: pairId } = await engine.createPair({ workspaceId, woocommerceStoreId, shopifyStoreId });
    const groups = [pairId, ...stores.map(({ storeId }) => storeId)];
    const runId = await firstSync(deps, workspaceId, pairId, groups);
    const storeIds = { woocommerce: woocommerceStoreId, shopify: shopifyStoreId };
    return { workspaceId, pairId, shelves: { woocommerce, shopify }, storeIds, stores, runId, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Plans and applies; null when there was nothing to do or the plan took longer than a person should wait. */
async function firstSync(
  { accounts, engine }: SandboxDeps,
  workspaceId: WorkspaceId,
  pairId: PairId,
  groups: readonly (PairId | StoreId)[],
): Promise<RunId | null> {
  const { db, clock } = accounts;
  const until = clock.now() + FIRST_SYNC_WAIT_MS;
  const requested = await engine.requestPlan(pairId);
  const isBusy = (runId: RunId): boolean =>
    countDueJobs(db, groups, clock.now()) > 0 || findWorkspaceRun(db, workspaceId, runId)?.run.status === 'running';
  for (;;) {
    const plan = findWorkspacePlan(db, workspaceId, requested.id)?.plan;
    if (plan?.status === 'ready' && plan.hash !== null) {
      const run = await engine.applyPlan(plan.id, plan.hash);
      // Until the last follow-up is done: the first sale shall not queue behind our own work.
      while (clock.now() < until && isBusy(run.id)) await clock.sleep(POLL_MS);
      return run.id;
    }
    if (plan?.status !== 'planning' || clock.now() >= until) {
      accounts.log.warn({ pairId, status: plan?.status }, 'the demo was opened without its first sync');
      return null;
    }
    await clock.sleep(POLL_MS);
  }
}
