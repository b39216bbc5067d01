import type { AccountMail, AccountsContext } from '../../accounts/context.ts';
import { emailIndex } from '../../accounts/email.ts';
import { openSession, type SignedIn } from '../../accounts/open-session.ts';
import { DEFAULT_NOTIFICATIONS, sealProfile } from '../../accounts/profile.ts';
import { type Db, transact } from '../../db/database.ts';
import { findHubRows } from '../../db/readers/hub-rows.ts';
import type { UserRow } from '../../db/schema/user.ts';
import { insertUser } from '../../db/writers/users.ts';
import { insertMembership, insertWorkspace } from '../../db/writers/workspaces.ts';
import type { HeldRecord } from '../../engine/held-by.ts';
import { createAccessTokens } from '../../http/access-token.ts';
import type { BackupsApi } from '../../http/backups-api.ts';
import type { HttpDeps } from '../../http/deps.ts';
import type { EngineApi } from '../../http/engine-api.ts';
import { createHttpServer } from '../../http/server.ts';
import type { Server } from '../../http/types.ts';
import { createJournal } from '../../journal/journal.ts';
import { StartupError } from '../../lib/startup-error.ts';
import type { ProductId, UserId, WorkspaceId } from '../../model/ids.ts';
import type { PerSide, Side } from '../../model/platform.ts';
import type { WorkspaceRole } from '../../model/role.ts';
import type { NotifyContext } from '../../notify/context.ts';
import type { OutboxContext } from '../../notify/outbox.ts';
import { createCipher } from '../../system/cipher.ts';
import { openMemoryDatabase } from '../support/memory-database.ts';
import { makeTestAccounts } from '../support/test-accounts.ts';
import { makeTestClock, type TestClock } from '../support/test-clock.ts';
import { makeTestLog, type TestLog } from '../support/test-log.ts';
import { makeTestRandom } from '../support/test-random.ts';

/** Says what it was asked, and answers what the test told it to. */
export type EngineFake = {
  readonly calls: { readonly name: string; readonly args: readonly unknown[] }[];
} & Partial<EngineApi>;

export interface TestApp extends AsyncDisposable {
  readonly server: Server;
  readonly db: Db;
  readonly clock: TestClock;
  readonly log: TestLog;
  readonly accounts: AccountsContext;
  readonly notify: NotifyContext;
  readonly calls: EngineFake['calls'];
  /** Emails that were ordered, oldest first. */
  readonly mails: readonly AccountMail[];
  readonly outbox: OutboxContext;
  /** A person with that role in `workspaceId` (a new workspace by default), signed in. */
  person(options?: {
    role?: WorkspaceRole;
    workspaceId?: WorkspaceId;
    isDemo?: boolean;
    isInstanceAdmin?: boolean;
  }): TestPerson;
}

export interface TestPerson extends SignedIn {
  readonly token: string;
  readonly headers: { readonly authorization: string };
}

/** Takes public addresses and sends nothing. */
const noPoster: NotifyContext['poster'] = {
  refuses: (url) => (url.startsWith('https://') ? null : 'only https addresses can be called'),
  post: async () => ({ status: 200 }),
};

/** A database in memory has no copies; one that is asked for is not made. */
const NO_BACKUPS: BackupsApi = {
  dir: '/data/backups',
  keep: 0,
  list: () => [],
  nextAt: () => null,
  lastFailure: () => null,
  isMaking: () => false,
  make: () => Promise.reject(new StartupError('There is no file to copy.', 'Use one.')),
};

/** The real server over a database in memory and an engine that only takes notes. */
export async function makeTestApp(
  options: { engine?: Partial<EngineApi>; accounts?: Partial<AccountsContext>; deps?: Partial<HttpDeps> } = {},
): Promise<TestApp> {
  const db = options.deps?.db ?? openMemoryDatabase();
  const clock = makeTestClock();
  const log = makeTestLog();
  const random = makeTestRandom();
  const calls: EngineFake['calls'] = [];
  const engine = new Proxy({} as EngineApi, {
    get: (_target, name: keyof EngineApi) => {
      return (...args: unknown[]) => {
        calls.push({ name, args });
        const own = { heldBy: (id: ProductId) => heldInRows(db, id), ...options.engine }[name];
        return own === undefined ? null : (own as (...args: unknown[]) => unknown)(...args);
      };
    },
  });
  const { accounts, outbox, mails } = makeTestAccounts({ db, clock, random, log }, options.accounts);
  const journal = createJournal(db);
  const notify: NotifyContext = {
    db,
    clock,
    random,
    log,
    cipher: createCipher([new Uint8Array(32)]),
    poster: noPoster,
  };
  const server = await createHttpServer({
    db,
    clock,
    random,
    log,
    engine,
    accounts,
    notify,
    journal,
    outbox,
    usage: { count: () => undefined },
    usageLimits: { api_calls: 1_000 },
    backups: NO_BACKUPS,
    demo: null,
    identityProvider: null,
    version: '0.0.0-test',
    jwtSecret: 'a secret of the tests, thirty-two bytes or more',
    publicUrl: null,
    tls: null,
    trustedProxies: [],
    webDir: null,
    isReady: () => true,
    isStrict: true,
    ...options.deps,
  });
  await server.ready();
  const tokens = createAccessTokens(server, () => clock.now());
  return {
    server,
    db,
    clock,
    log,
    accounts,
    notify,
    calls,
    mails,
    outbox,
    person({ role = 'owner', workspaceId, isDemo = false, isInstanceAdmin = false } = {}) {
      const signedIn = insertPerson(accounts, role, workspaceId ?? null, isDemo, isInstanceAdmin);
      const token = tokens.sign(signedIn).accessToken;
      return { ...signedIn, token, headers: { authorization: `Bearer ${token}` } };
    },
    async [Symbol.asyncDispose]() {
      journal.close();
      await server.close();
      if (options.deps?.db === undefined) db.connection.close();
    },
  };
}

/** As if both platforms showed everything as the hub holds it. */
function heldInRows(db: Db, id: ProductId): PerSide<HeldRecord | null> {
  const hub = findHubRows(db, id);
  const held = (side: Side) => {
    const binding = hub?.bindings[side];
    return hub && binding ? { product: binding.base ?? hub.row.data, apart: [] } : null;
  };
  return { woocommerce: held('woocommerce'), shopify: held('shopify') };
}

function insertPerson(
  ctx: AccountsContext,
  role: WorkspaceRole,
  existing: WorkspaceId | null,
  isDemo: boolean,
  isInstanceAdmin: boolean,
): SignedIn {
  return transact(ctx.db, (tx) => {
    const now = ctx.clock.now();
    const id = ctx.random.id('usr_') as UserId;
    const email = `${id}@example.com`;
    const user: UserRow = {
      id,
      profile: sealProfile(ctx.vault, id, {
        ...{ email, firstName: 'Ada', lastName: 'Lovelace', company: '', timezone: '' },
        notifications: DEFAULT_NOTIFICATIONS,
      }),
      emailIndex: emailIndex(ctx.vault, email),
      passwordHash: 'plain Secret-12',
      role: isInstanceAdmin ? 'admin' : 'user',
      isDemo,
      verifiedAt: null,
      ...{ totpSecret: null, totpEnabledAt: null, totpLastStep: null },
      newsletterAt: null,
      newsletterSource: null,
      createdAt: now,
    };
    insertUser(tx, user);
    const workspaceId = existing ?? (ctx.random.id('ws_') as WorkspaceId);
    if (existing === null) insertWorkspace(tx, { id: workspaceId, name: 'Shop', isDemo, createdAt: now });
    insertMembership(tx, { workspaceId, userId: id, role, createdAt: now });
    return openSession(ctx, tx, user, { ip: '127.0.0.1', userAgent: 'test', isLocal: true });
  });
}
