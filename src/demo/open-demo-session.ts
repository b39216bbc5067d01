import type { AccountsContext, Device } from '../accounts/context.ts';
import { emailIndex } from '../accounts/email.ts';
import { openSession, type SignedIn } from '../accounts/open-session.ts';
import { DEFAULT_NOTIFICATIONS, sealProfile } from '../accounts/profile.ts';
import { transact } from '../db/database.ts';
import { readQueue } from '../db/readers/list-jobs.ts';
import { findWorkspaceRun } from '../db/readers/list-runs.ts';
import { findWorkspacePlan } from '../db/readers/view-plan.ts';
import type { UserRow } from '../db/schema/user.ts';
import { insertUser } from '../db/writers/users.ts';
import { insertMembership, insertWorkspace } from '../db/writers/workspaces.ts';
import { ID_PREFIX, type PairId, type RunId, type StoreId, type UserId, type WorkspaceId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import { demoCatalogue, OUTLET_CATALOGUE } from './catalogue.ts';
import type { DemoDeps } from './create-demo-service.ts';
import type { DemoOpened } from './demo-service.ts';
import type { Shelf } from './shelf.ts';
import { openShopifyShelf } from './shopify-shelf.ts';
import { openWooShelf } from './woo-shelf.ts';

/** How long a visitor waits for the first sync before they are shown the shelves as they are. */
const FIRST_SYNC_WAIT_MS = 10_000;
const POLL_MS = 20;

export interface DemoSession {
  readonly workspaceId: WorkspaceId;
  readonly pairId: PairId;
  readonly shelves: Readonly<Record<Side, Shelf>>;
  readonly storeIds: Readonly<Record<Side, StoreId>>;
  close(): Promise<void>;
}

/** Everything that a person would do, in a fresh workspace: connect three stores, make a pair, read the plan, apply it. */
export async function openDemoSession(
  deps: DemoDeps,
  device: Device,
  purge: (workspaceId: WorkspaceId) => void,
): Promise<{ session: DemoSession; opened: Omit<DemoOpened, 'expiresAt'> }> {
  const { accounts, engine } = deps;
  const shelves: Shelf[] = [];
  const distrust: (() => void)[] = [];
  const close = async () => {
    for (const shelf of shelves) await shelf.close();
    for (const take of distrust) take();
  };
  const signedIn = createVisitor(accounts, device);
  const workspaceId = signedIn.workspace.id;

  async function connect(shelf: Shelf): Promise<StoreId> {
    shelves.push(shelf);
    distrust.push(deps.trustOrigin(shelf.origin));
    const { platform } = shelf.credentials;
    const { credentials, name } = shelf;
    const { store } = await engine.connectStore({ workspaceId, name, platform, credentials, isSandbox: true });
    return store.id;
  }

  try {
    const woocommerce = await openWooShelf('Harbour & Home', demoCatalogue('woocommerce'));
    const woocommerceStoreId = await connect(woocommerce);
    const shopify = await openShopifyShelf('Harbour & Home on Shopify', demoCatalogue('shopify'));
    const shopifyStoreId = await connect(shopify);
    await connect(await openWooShelf('Harbour Outlet', OUTLET_CATALOGUE));
    const pair = await engine.createPair({ workspaceId, woocommerceStoreId, shopifyStoreId });
    const runId = await firstSync(deps, workspaceId, pair.id);
    const storeIds = { woocommerce: woocommerceStoreId, shopify: shopifyStoreId };
    const session = { workspaceId, pairId: pair.id, shelves: { woocommerce, shopify }, storeIds, close };
    return { session, opened: { ...signedIn, pairId: pair.id, storeIds, runId } };
  } catch (error) {
    purge(workspaceId);
    await close();
    throw error;
  }
}

/** Plans and applies; null when there was nothing to do or the plan took longer than a visitor should wait. */
async function firstSync(deps: DemoDeps, workspaceId: WorkspaceId, pairId: PairId): Promise<RunId | null> {
  const { accounts, engine } = deps;
  const { db, clock } = accounts;
  const until = clock.now() + FIRST_SYNC_WAIT_MS;
  const requested = await engine.requestPlan(pairId);
  const isBusy = (runId: RunId): boolean => {
    const { ready, executing } = readQueue(db, workspaceId, clock.now());
    return ready + executing > 0 || findWorkspaceRun(db, workspaceId, runId)?.run.status === 'running';
  };
  for (;;) {
    const plan = findWorkspacePlan(db, workspaceId, requested.id)?.plan;
    if (plan?.status === 'ready' && plan.hash !== null) {
      const run = await engine.applyPlan(plan.id, plan.hash);
      // Until the last follow-up is done: the visitor's first sale shall not queue behind our own work.
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

function createVisitor(accounts: AccountsContext, device: Device): SignedIn {
  return transact(accounts.db, (tx) => {
    const now = accounts.clock.now();
    const id = accounts.random.id(ID_PREFIX.user) as UserId;
    const email = `${id.toLowerCase().replaceAll('_', '-')}@demo.invalid`;
    const user: UserRow = {
      id,
      profile: sealProfile(accounts.vault, id, {
        ...{ email, firstName: 'Demo', lastName: 'Visitor', company: 'Harbour & Home', timezone: '' },
        notifications: DEFAULT_NOTIFICATIONS,
      }),
      emailIndex: emailIndex(accounts.vault, email),
      passwordHash: '',
      role: 'user',
      isDemo: true,
      verifiedAt: null,
      ...{ totpSecret: null, totpEnabledAt: null, totpLastStep: null },
      newsletterAt: null,
      newsletterSource: null,
      createdAt: now,
    };
    const workspaceId = accounts.random.id(ID_PREFIX.workspace) as WorkspaceId;
    insertUser(tx, user);
    insertWorkspace(tx, { id: workspaceId, name: 'Harbour & Home (demo)', isDemo: true, createdAt: now });
    insertMembership(tx, { workspaceId, userId: id, role: 'owner', createdAt: now });
    return openSession(accounts, tx, user, device, false);
  });
}
