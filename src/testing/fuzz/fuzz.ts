import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { SessionReply } from '../../contracts/auth.ts';
import { openDatabase, transact } from '../../db/database.ts';
import { updateStore } from '../../db/writers/stores.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { SIDES } from '../../model/platform.ts';
import { createCipher } from '../../system/cipher.ts';
import { startTestApp } from '../flows/start-test-app.ts';
import { insertWorld } from '../http/insert-world.ts';
import { SeededRandom } from '../simulator/random.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { type Ammunition, drawRequest, type FuzzRequest, type FuzzRoute } from './draw-request.ts';
import { pick, type Schema } from './draw-value.ts';
import { type MachineStalls, watchMachine } from './machine-stalls.ts';

export interface FuzzOptions {
  readonly seed: string;
  readonly count: number;
  readonly concurrency?: number;
}

export interface FuzzReport {
  readonly requests: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Routes that were answered with success at least once. */
  readonly reached: number;
  readonly routes: number;
  readonly slowestMs: number;
  readonly findings: readonly string[];
}

/** An answer later than this is a hang, also on a busy machine. */
const HANG_MS = 10_000;
const FINDINGS_MAX = 10;
/** Requests between two sets of fresh accounts: some requests end sessions, workspaces and accounts. */
const ROUND = 500;
/** These cost a password hash each, which is slow on purpose, or end the session that the others need. */
const DEAR = /\/(login|logout|signup|change-password|reset-password|prove|account)$/;
const DEAR_SHARE = 25;
const SECRET = 'webhook-secret-of-the-fuzzer';

/** Sends drawn requests to the whole program over real HTTP. Finding: a 5xx, a hang, an error out of shape, or a broken contract. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  using dir = makeTempDir();
  const running = await startTestApp(dir.path, {
    server: { host: '127.0.0.1', port: 0, publicUrl: null, trustedProxies: ['127.0.0.1'] },
    signup: 'open',
    allowLocalStores: false,
    given: { setupToken: SECRET, jwtSecret: null, encryptionKeys: null },
  });
  const pool = new Pool(running.app.url, { connections: options.concurrency ?? 8 });
  const random = new SeededRandom(options.seed);
  const stalls = watchMachine();
  const byStatus: Record<string, number> = {};
  const reached = new Set<string>();
  const findings: string[] = [];
  let slowestMs = 0;
  let sent = 0;
  try {
    const routes = await readRoutes(pool);
    const cheap = routes.filter(({ path }) => !DEAR.test(path));
    while (sent < options.count && findings.length < FINDINGS_MAX) {
      const has = await arm(running.app.url, dir.path, random);
      const round = Math.min(ROUND, options.count - sent);
      // Drawn in order, sent side by side: a seed gives the same requests however fast the machine is.
      const drawn = Array.from({ length: round }, () => {
        const route = pick(random, random.int(DEAR_SHARE) === 0 ? routes : cheap);
        return { route, request: drawRequest(random, route, has) };
      });
      const work = drawn.values();
      const worker = async () => {
        for (const { route, request } of work) {
          const { status, ms, finding } = await shoot(pool, request, stalls);
          byStatus[status] = (byStatus[status] ?? 0) + 1;
          slowestMs = Math.max(slowestMs, ms);
          if (status >= 200 && status < 400) reached.add(`${route.method} ${route.path}`);
          if (finding !== null) findings.push(finding);
        }
      };
      await Promise.all(Array.from({ length: options.concurrency ?? 8 }, worker));
      sent += round;
    }
    const errors = running.log.lines.filter(({ level, message }) => level === 'error' && message === 'request failed');
    findings.push(...errors.slice(0, FINDINGS_MAX).map((line) => `logged: ${JSON.stringify(line.fields)}`));
    return { requests: sent, byStatus, reached: reached.size, routes: routes.length, slowestMs, findings };
  } finally {
    stalls.stop();
    await pool.close();
    await running.app.stop();
  }
}

async function shoot(
  pool: Pool,
  request: FuzzRequest,
  stalls: MachineStalls,
): Promise<{ status: number; ms: number; finding: string | null }> {
  const from = performance.now() - stalls.total();
  const took = () => performance.now() - stalls.total() - from;
  const { method, path, headers, body } = request;
  const shown = `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 600)} ${body?.toString('latin1').slice(0, 600) ?? ''}`;
  try {
    const reply = await pool.request({
      method: method as 'GET',
      path,
      headers,
      body,
      headersTimeout: 6 * HANG_MS,
      bodyTimeout: 6 * HANG_MS,
    });
    const text = await reply.body.text();
    // One more turn, so that a stall that has just ended is counted.
    await new Promise((resolve) => setTimeout(resolve, 0));
    const ms = took();
    const trouble = judge(reply.statusCode, text, reply.headers, ms);
    return {
      status: reply.statusCode,
      ms,
      finding: trouble === null ? null : `${trouble}: ${shown} -> ${text.slice(0, 300)}`,
    };
  } catch (error) {
    return { status: 0, ms: took(), finding: `${String(error)}: ${shown}` };
  }
}

function judge(status: number, text: string, headers: Record<string, unknown>, ms: number): string | null {
  if (status >= 500) return `answered ${status}`;
  if (ms > HANG_MS) return `took ${Math.round(ms)} ms`;
  if (headers['content-security-policy'] === undefined && status !== 400) return 'no security headers';
  if (status < 400) return null;
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown; requestId?: unknown } };
    const isWhole = [error?.code, error?.message, error?.requestId].every((part) => typeof part === 'string');
    return isWhole ? null : 'an error out of shape';
  } catch {
    return 'an error that is no JSON';
  }
}

async function readRoutes(pool: Pool): Promise<FuzzRoute[]> {
  const reply = await pool.request({ method: 'GET', path: '/api/openapi.json' });
  const { paths } = (await reply.body.json()) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json'].schema ?? null,
    })),
  );
}

interface Described {
  readonly parameters: FuzzRoute['parameters'];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

/** A fresh owner with one of everything, a viewer's token, and somebody else's workspace. */
async function arm(url: string, dir: string, random: SeededRandom): Promise<Ammunition> {
  const mine = await signUp(url, random);
  const theirs = await signUp(url, random);
  const db = openDatabase({ file: join(dir, 'twinshelf.db') });
  const cipher = createCipher([Buffer.from(readFileSync(join(dir, 'encryption.key'), 'utf8').trim(), 'hex')]);
  try {
    const ids: string[] = ['none', mine.user.id, theirs.user.id, mine.user.workspace._id, theirs.user.workspace._id];
    const stores: Ammunition['stores'][number][] = [];
    for (const { user } of [mine, theirs]) {
      const world = insertWorld(db, user.workspace._id as WorkspaceId, Date.now());
      transact(db, (tx) => {
        for (const platform of SIDES) {
          const id = world.storeIds[platform];
          const credentials =
            platform === 'woocommerce'
              ? { platform, url: 'https://127.0.0.1:1', consumerKey: 'ck_x', consumerSecret: 'cs_x' }
              : {
                  platform,
                  shopDomain: '127.0.0.1:1',
                  auth: { type: 'token', accessToken: 'shpat_x', apiSecret: SECRET },
                };
          updateStore(tx, id, {
            address: platform === 'woocommerce' ? 'https://127.0.0.1:1' : '127.0.0.1:1',
            credentials: cipher.seal(JSON.stringify(credentials), `store.credentials:${id}`),
            webhookSecret: cipher.seal(SECRET, `store.webhook_secret:${id}`),
          });
          stores.push({ id, platform, secret: SECRET });
        }
      });
      ids.push(
        ...Object.values(world).flatMap((value) =>
          typeof value === 'string' ? [value] : Object.values(value as object),
        ),
      );
    }
    return {
      ids,
      stores,
      tokens: [mine.accessToken, mine.accessToken, theirs.accessToken, await readToken(url, mine)],
    };
  } finally {
    db.connection.close();
  }
}

async function signUp(url: string, random: SeededRandom): Promise<SessionReply> {
  const form = {
    firstName: 'F',
    lastName: 'Z',
    email: `f${random.bits()}${random.bits()}@example.com`,
    agreeToTerms: true,
  };
  const reply = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `11.${random.int(256)}.${random.int(256)}.1` },
    body: JSON.stringify({ ...form, password: 'Fuzz-Secret-1', setupToken: SECRET }),
  });
  if (reply.status !== 201) throw new Error(`sign-up answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as SessionReply;
}

async function readToken(url: string, { accessToken }: SessionReply): Promise<string> {
  const reply = await fetch(`${url}/api/workspace/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'fuzz', scope: 'manage' }),
  });
  return ((await reply.json()) as { secret: string }).secret;
}
