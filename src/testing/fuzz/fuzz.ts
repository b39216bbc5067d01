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
import { confirmSlow } from './confirm-slow.ts';
import { type Ammunition, drawRequest, type FuzzRequest, type FuzzRoute } from './draw-request.ts';
import { pick, type Schema } from './draw-value.ts';

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

/** An answer later than this is looked at again (`confirm-slow.ts`): on a busy machine it says little by itself. */
const SUSPECT_MS = 1_000;
const SUSPECTS_MAX = 10;
/** No answer at all within this, twice, is a hang. */
const HANG_MS = 60_000;
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
    server: { host: '127.0.0.1', port: 0, publicUrl: null, tls: null, trustedProxies: ['127.0.0.1'] },
    signup: 'open',
    allowLocalStores: false,
    given: { setupToken: SECRET, jwtSecret: null, encryptionKeys: null },
  });
  const pool = new Pool(running.app.url, { connections: options.concurrency ?? 8 });
  const random = new SeededRandom(options.seed);
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
      const suspects: Suspect[] = [];
      const work = drawn.values();
      const worker = async () => {
        for (const { route, request } of work) {
          const { status, ms, finding } = await shoot(pool, request);
          if (ms > SUSPECT_MS) suspects.push({ request, ms });
          byStatus[status] = (byStatus[status] ?? 0) + 1;
          slowestMs = Math.max(slowestMs, ms);
          if (status >= 200 && status < 400) reached.add(`${route.method} ${route.path}`);
          if (finding !== null) findings.push(finding);
        }
      };
      await Promise.all(Array.from({ length: options.concurrency ?? 8 }, worker));
      sent += round;
      findings.push(...(await judgeSlow(pool, suspects)));
    }
    const errors = running.log.lines.filter(({ level, message }) => level === 'error' && message === 'request failed');
    findings.push(...errors.slice(0, FINDINGS_MAX).map((line) => `logged: ${JSON.stringify(line.fields)}`));
    return { requests: sent, byStatus, reached: reached.size, routes: routes.length, slowestMs, findings };
  } finally {
    await pool.close();
    await running.app.stop();
  }
}

interface Suspect {
  readonly request: FuzzRequest;
  readonly ms: number;
}

/** Nothing else is under way meanwhile. */
async function judgeSlow(pool: Pool, suspects: readonly Suspect[]): Promise<readonly string[]> {
  const findings: string[] = [];
  const plain = { method: 'GET', path: '/api/health', headers: {}, body: null };
  for (const { request } of suspects.toSorted((a, b) => b.ms - a.ms).slice(0, SUSPECTS_MAX)) {
    const slow = await confirmSlow(
      () => shoot(pool, request),
      () => shoot(pool, plain),
    );
    if (slow !== null) findings.push(`${slow}: ${show(request)}`);
  }
  return findings;
}

function show({ method, path, headers, body }: FuzzRequest): string {
  const text = body?.toString('latin1').slice(0, 600) ?? '';
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 600)} ${text}`;
}

async function shoot(
  pool: Pool,
  request: FuzzRequest,
  isSecond = false,
): Promise<{ status: number; ms: number; finding: string | null }> {
  const from = performance.now();
  const { method, path, headers, body } = request;
  try {
    const reply = await pool.request({
      method: method as 'GET',
      path,
      headers,
      body,
      headersTimeout: HANG_MS,
      bodyTimeout: HANG_MS,
    });
    const text = await reply.body.text();
    const trouble = judge(reply.statusCode, text, reply.headers);
    return {
      status: reply.statusCode,
      ms: performance.now() - from,
      finding: trouble === null ? null : `${trouble}: ${show(request)} -> ${text.slice(0, 300)}`,
    };
  } catch (error) {
    if (!isSecond && performance.now() - from >= HANG_MS) return shoot(pool, request, true);
    return { status: 0, ms: 0, finding: `${String(error)}: ${show(request)}` };
  }
}

function judge(status: number, text: string, headers: Record<string, unknown>): string | null {
  if (status >= 500) return `answered ${status}`;
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
  const { paths, components } = (await reply.body.json()) as {
    paths: Record<string, Record<string, Described>>;
    components: { schemas: Record<string, Schema> };
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters: parameters.map((one) => ({ ...one, schema: resolve(one.schema, components.schemas) })),
      body:
        requestBody === undefined ? null : resolve(requestBody.content['application/json'].schema, components.schemas),
    })),
  );
}

/** The schema with everything that it refers to in its place. */
function resolve(schema: Schema, shapes: Readonly<Record<string, Schema>>): Schema {
  const whole = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(whole);
    const { $ref } = node as { readonly $ref?: unknown };
    if (typeof $ref === 'string') return whole(shapes[$ref.slice($ref.lastIndexOf('/') + 1)]);
    return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, whole(one)]));
  };
  return whole(schema) as Schema;
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
