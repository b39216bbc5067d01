import { existsSync } from 'node:fs';
import { Server as TlsServer } from 'node:https';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { openBreachedPasswords } from './accounts/breached-passwords.ts';
import { createCodeThrottle } from './accounts/code-throttle.ts';
import { createConfirmationThrottle } from './accounts/confirmation-throttle.ts';
import type { AccountsContext } from './accounts/context.ts';
import { emailIndex } from './accounts/email.ts';
import { createInvitationThrottle } from './accounts/invitation-throttle.ts';
import { createLetterThrottle } from './accounts/letter-throttle.ts';
import { listRecipients } from './accounts/list-recipients.ts';
import { createLoginThrottle } from './accounts/login-throttle.ts';
import { createPasswordHasher } from './accounts/password.ts';
import { createReplyRoom } from './accounts/reply-room.ts';
import { createSetupToken } from './accounts/setup-token.ts';
import { openVault } from './accounts/vault.ts';
import { createBackgroundWork } from './app/background-work.ts';
import { createBackups } from './app/backups.ts';
import { bindEngine } from './app/bind-engine.ts';
import { clearWorkspace } from './app/clear-workspace.ts';
import { createConnectorDirectory } from './app/connector-directory.ts';
import { listen } from './app/listen.ts';
import { localUrlOf } from './app/local-url.ts';
import { createPoster } from './app/poster.ts';
import { BRAND } from './brand.ts';
import type { Config } from './config/config.ts';
import { isOpenToNetwork, isPublished } from './config/reach.ts';
import { loadSecrets } from './config/secrets.ts';
import { VERSION } from './config/version.ts';
import { createUndiciTransport } from './connectors/shared/undici-transport.ts';
import { transact } from './db/database.ts';
import { findMeta } from './db/readers/meta.ts';
import { findRequestsPerMinute, listStores } from './db/readers/pairs.ts';
import { listSandboxGone, listWorkspacesWithSandbox } from './db/readers/sandbox.ts';
import { countUsers } from './db/readers/users.ts';
import { listDemoWorkspaces } from './db/readers/workspaces.ts';
import { openStorage, type Storage, startFailure, storagePaths } from './db/storage.ts';
import { setMeta } from './db/writers/meta.ts';
import type { DemoService } from './demo/demo-service.ts';
import type { EngineContext } from './engine/context.ts';
import { createRecordLocks } from './engine/locks.ts';
import { createStrangers } from './engine/matching/strangers.ts';
import { enqueueWebhookCheck } from './engine/stores/connect-store.ts';
import { wakeWaiters } from './engine/wake-waiters.ts';
import { createHttpServer } from './http/server.ts';
import type { Server } from './http/types.ts';
import { enqueueMail, mailTask } from './jobs/tasks/mail.ts';
import { notifyTasks } from './jobs/tasks/notify-tasks.ts';
import { createJournal } from './journal/journal.ts';
import { isoTime } from './lib/time.ts';
import type { AlertContext } from './notify/alerts/context.ts';
import type { NotifyContext } from './notify/context.ts';
import { followJournal } from './notify/follow-journal.ts';
import { forgetRecipient, type OutboxContext, orderMail, releaseHeldMails } from './notify/outbox.ts';
import { createSmtp } from './notify/smtp.ts';
import type { Cipher } from './ports/cipher.ts';
import type { Log } from './ports/log.ts';
import { type Certificate, followCertificate, readCertificate } from './system/certificate.ts';
import { CIPHER_PROOF, createCipher, proveCipher } from './system/cipher.ts';
import { systemClock } from './system/clock.ts';
import { createOpenIdProvider } from './system/openid-connect.ts';
import { systemRandom } from './system/random.ts';
import { createUsageCounter } from './usage/usage-counter.ts';

export interface App {
  /** Where this machine reaches the server. */
  readonly url: string;
  /** Nobody had an account here when it started. */
  readonly isNew: boolean;
  /** Ends everything in order. Can be called again while it is at work. */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly log: Log;
  /** The built web app; null where there is none. */
  readonly webDir: string | null;
  readonly isStrict?: boolean;
  /** Shows the token for the first account to whoever started the server. */
  readonly showSetupToken?: (token: string) => void;
}

/** How long requests under way may take to end when the server stops, ms. With what follows it is less than a container is given (Docker: 10 s). */
const STOP_WAIT_MS = 5_000;

/** Starts the server: the one place where every layer is made and given what it needs. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, log } = options;
  const clock = systemClock;
  const random = systemRandom;
  const secrets = loadSecrets(config, { hasDatabase: existsSync(storagePaths(config.dataDir).database) });
  for (const file of secrets.createdFiles) log.info({ file }, 'made a secret; keep this file as safe as the database');
  const storage = openStorage({
    dataDir: config.dataDir,
    version: VERSION,
    owner: { pid: process.pid, host: hostname(), startedAt: isoTime(clock.now()) },
    nowMs: clock.now(),
  });
  const { db } = storage;
  let listening: Server | null = null;
  try {
    const breached =
      config.breachedPasswordsFile === null ? null : await openBreachedPasswords(config.breachedPasswordsFile);
    const cipher = provedCipher(storage, secrets.encryptionKeys);
    const trustedOrigins = new Set<string>();
    const transports = createUndiciTransport({ allowLocal: config.allowLocalStores, trustedOrigins });
    let localUrl: string | null = null;
    const { publicUrl } = config.server;
    const connectors = createConnectorDirectory({
      ...{ clock, random, log, cipher, trustedOrigins, publicUrl },
      transport: transports.transport,
      download: transports.download,
      shopifyApiVersion: config.shopifyApiVersion,
      allowLocalStores: config.allowLocalStores,
      localUrl: () => localUrl,
      requestsPerMinute: (shop) => findRequestsPerMinute(db, shop),
    });
    const engine: EngineContext = {
      ...{ db, clock, random, log, cipher, connectors },
      locks: createRecordLocks(wakeWaiters(db, systemClock)),
      strangers: createStrangers(),
      // Which stores can use it is decided where the webhooks are made (`aim-webhooks.ts`).
      get publicUrl() {
        return publicUrl ?? localUrl;
      },
    };
    const smtp = config.mail === null ? null : createSmtp(config.mail.smtpUrl, config.mail.from);
    const vault = openVault(db, cipher);
    const outbox: OutboxContext = {
      ...{ db, clock, random, log, cipher },
      indexOf: (address) => emailIndex(vault, address),
      send: smtp?.send ?? null,
      enqueue: enqueueMail,
    };
    const outgoing = createPoster({ allowLocal: config.allowLocalStores, userAgent: `${BRAND.name}/${VERSION}` });
    const notify: NotifyContext = { db, clock, random, log, cipher, poster: outgoing.poster };
    const webUrl = () => publicUrl ?? localUrl ?? '';
    const alerts: AlertContext = {
      ...notify,
      webUrl,
      recipients: (workspaceId, what) => listRecipients(accounts, workspaceId, what),
      orderAlertMail: (tx, mail) => orderMail(outbox, tx, { kind: 'alert', ...mail }),
      orderReportMail: (tx, mail) => orderMail(outbox, tx, { kind: 'weekly_report', ...mail }),
    };
    const follower = followJournal(notify);
    const { usageLimits, historyKeptMs } = config;
    const usage = createUsageCounter({ db, clock, log, limits: usageLimits });
    const more = [mailTask(outbox), ...notifyTasks(alerts)];
    const work = createBackgroundWork(engine, { more, historyKeptMs });
    const backups = createBackups({ db, clock, log, dir: storage.paths.backups, keep: config.backupsKept });
    const api = bindEngine(engine, connectors);
    const journal = createJournal(db);
    const accounts: AccountsContext = {
      ...{ db, clock, random, log },
      signup: config.signup,
      setup: createSetupToken({
        given: config.given.setupToken,
        isPublished: isPublished(config),
        show: options.showSetupToken ?? (() => undefined),
      }),
      passwords: createPasswordHasher(),
      breached,
      throttle: createLoginThrottle(clock),
      letters: createLetterThrottle(clock),
      replies: createReplyRoom(db, clock),
      codes: createCodeThrottle(clock),
      invitations: createInvitationThrottle(clock),
      confirmations: createConfirmationThrottle(clock),
      vault,
      mail(tx, mail) {
        orderMail(outbox, tx, mail);
        work.runner.wake();
      },
      forgetMail: (tx, whose) => void forgetRecipient(outbox, tx, whose),
      clearWorkspace: (id) => clearWorkspace(db, api, id),
      webUrl,
    };
    releaseHeldMails(outbox);
    const isNew = countUsers(db) === 0;
    if (isNew && isOpenToNetwork(config)) accounts.setup.announce();
    await clearLeftDemos({ db, clock });
    const demo = config.demo ? await startDemo({ accounts, engine: api, connectors, trustOrigin }) : null;
    let isReady = false;
    const { tls: tlsFiles } = config.server;
    const tls = tlsFiles === null ? null : readCertificate(tlsFiles);
    const server = await createHttpServer({
      ...{ db, clock, random, log, engine: api, accounts, notify, journal, outbox, usage, demo, publicUrl, tls },
      backups,
      usageLimits,
      version: VERSION,
      jwtSecret: secrets.jwtSecret,
      trustedProxies: config.server.trustedProxies,
      webDir: options.webDir,
      identityProvider: config.openId === null ? null : createOpenIdProvider(config.openId),
      isReady: () => isReady,
      isStrict: options.isStrict ?? false,
    });

    function trustOrigin(origin: string): () => void {
      trustedOrigins.add(origin);
      return () => trustedOrigins.delete(origin);
    }

    await listen(server, config.server);
    listening = server;
    const certificate = tlsFiles && tls ? followCertificate(tlsFiles, tls, (next) => renew(server, next), log) : null;
    localUrl = localUrlOf(config, server.server.address());
    lookAtWebhooks(db, clock.now());
    work.start();
    backups.start();
    follower.start();
    isReady = true;

    const stop = async (): Promise<void> => {
      certificate?.();
      work.scheduler.stop();
      follower.stop();
      // It also keeps the process alive: the clock's own timers don't.
      const cut = setInterval(() => server.server.closeAllConnections(), STOP_WAIT_MS);
      try {
        // Who waits for a backup would hold up the server's end.
        await Promise.all([server.close(), work.runner.stop(true), backups.stop()]);
      } finally {
        clearInterval(cut);
      }
      usage.stop();
      await demo?.close();
      journal.close();
      await connectors.close();
      smtp?.close();
      await breached?.close();
      // Each waits for connections that are only being opened: with what came before, one after the other would be longer than a container is given.
      await Promise.all([transports.close(), outgoing.close()]);
      storage.close();
      log.info({}, 'stopped');
    };
    let stopping: Promise<void> | null = null;
    return {
      ...{ url: localUrl, isNew },
      stop() {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    // It would keep the process alive for nobody, and from being started again.
    await listening?.close();
    throw startFailure(storage, error);
  }
}

/** Shops switch a webhook off that nobody took for a while (WooCommerce: five times), and the address may be another one since. */
function lookAtWebhooks(db: Storage['db'], nowMs: number): void {
  transact(db, (tx) => {
    for (const { id, status } of listStores(tx)) if (status !== 'disconnected') enqueueWebhookCheck(tx, id, nowMs);
  });
}

/** What a process that was killed has left of its demos, whether or not there is to be one now. */
async function clearLeftDemos(
  deps: Parameters<typeof import('./demo/take-away.ts')['clearLeftDemos']>[0],
): Promise<void> {
  const { db } = deps;
  const left = [listDemoWorkspaces(db), listWorkspacesWithSandbox(db), listSandboxGone(db)];
  if (left.every((list) => list.length === 0)) return;
  const demos = await import('./demo/take-away.ts');
  demos.clearLeftDemos(deps);
}

/** The sandbox and everything that belongs to it are loaded here, and with `DEMO=off` never. */
async function startDemo(
  deps: Parameters<typeof import('./demo/create-demo-service.ts')['createDemoService']>[0],
): Promise<DemoService> {
  const { createDemoService } = await import('./demo/create-demo-service.ts');
  return createDemoService(deps);
}

function provedCipher(storage: Storage, keys: readonly Uint8Array[]): Cipher {
  const cipher = createCipher(keys);
  const stored = findMeta(storage.db, CIPHER_PROOF);
  const proof = proveCipher(cipher, stored);
  if (proof !== stored) transact(storage.db, (tx) => setMeta(tx, CIPHER_PROOF, proof));
  return cipher;
}

function renew({ server }: Awaited<ReturnType<typeof createHttpServer>>, certificate: Certificate): void {
  if (server instanceof TlsServer) server.setSecureContext({ ...certificate, minVersion: 'TLSv1.2' });
}

/** dist/web beside the bundle, or in the repository when run from source. */
export function findWebDir(): string | null {
  const candidates = [join(import.meta.dirname, 'web'), join(import.meta.dirname, '../dist/web')];
  return candidates.find((dir) => existsSync(join(dir, 'index.html'))) ?? null;
}
