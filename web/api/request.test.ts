import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { User } from '../../src/contracts/auth.ts';
import { ApiError } from './api-error.ts';
import { call, callForText } from './request.ts';
import { clearSession, getAccessToken, getUser, hasExpired, storeSession } from './session.ts';

/** Stands in for the browser: the storage, and requests that the test answers when it wants. */
interface Asked {
  readonly path: string;
  readonly token: string | null;
  readonly answer: (status: number, body: unknown) => void;
  /** The answer begins, and the line breaks before its end. */
  readonly breakOff: () => void;
}

const realGlobals = { fetch: globalThis.fetch };
const browser = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
const stored = new Map<string, string>();
let asked: Asked[] = [];

before(() => {
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  const fetch = (path: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      const answer = (status: number, body: unknown): void => resolve(Response.json(body, { status }));
      const breakOff = (): void =>
        resolve(new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network error')) })));
      asked.push({ path, token: headers['authorization']?.slice('Bearer '.length) ?? null, answer, breakOff });
    });
  Object.assign(globalThis, { localStorage, fetch });
  Object.defineProperty(globalThis, 'navigator', { value: { locks: makeLocks() }, configurable: true });
});
after(() => {
  Object.assign(globalThis, realGlobals, { localStorage: undefined });
  if (browser) Object.defineProperty(globalThis, 'navigator', browser);
});
beforeEach(() => {
  stored.clear();
  asked = [];
  storeSession('first', { id: 'usr_1' } as User);
});

/** One lock for all tabs. */
function makeLocks() {
  let held: Promise<unknown> = Promise.resolve();
  return {
    request: <T>(_name: string, _options: object, work: () => Promise<T>): Promise<T> => {
      const done = held.then(work);
      held = done.catch(() => null);
      return done;
    },
  };
}

/** The same script in another tab: its own memory, the same storage. */
async function openTab(): Promise<typeof import('./request.ts')> {
  return import(`${import.meta.resolve('./request.ts')}?tab=${Math.random()}`);
}

function refuse({ answer }: Asked, code: string): void {
  answer(401, { error: { code, message: code, details: {}, requestId: 'req_1' } });
}

/** The calls that came since the last look, once there are so many. */
async function take(count: number): Promise<Asked[]> {
  for (let turn = 0; asked.length < count; turn += 1) {
    assert.ok(turn < 1_000, `${asked.length} calls, not ${count}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return asked.splice(0);
}

async function codeOf(calling: Promise<unknown>): Promise<string> {
  return calling.then(
    () => 'answered',
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );
}

test('many calls learn at once that the session is over: the token is renewed once, and it is remembered why', async () => {
  const codes = Promise.all([1, 2, 3].map(() => codeOf(call('GET /api/pairs'))));
  for (const one of await take(3)) refuse(one, 'TOKEN_EXPIRED');
  const renewals = await take(1);
  assert.deepEqual(
    renewals.map(({ path }) => path),
    ['/api/auth/refresh'],
  );
  for (const one of renewals) refuse(one, 'SESSION_EXPIRED');
  assert.deepEqual(await codes, ['SESSION_EXPIRED', 'SESSION_EXPIRED', 'SESSION_EXPIRED']);
  assert.equal(getAccessToken(), null);
  assert.equal(hasExpired(), true);
});

test('an answer that breaks off is no answer, and is told as such', async () => {
  const calls = Promise.all([call('GET /api/pairs'), callForText('GET /api/workspace/audit/export')].map(codeOf));
  for (const one of await take(2)) one.breakOff();
  assert.deepEqual(await calls, ['OFFLINE', 'OFFLINE']);
});

test('a call is cut off after a minute, or when its own limit says so', async (t) => {
  const limits = new Map<number | undefined, AbortController>();
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    const limit = new AbortController();
    limits.set(ms, limit);
    return limit.signal;
  });
  const usual = codeOf(call('GET /api/pairs'));
  const long = codeOf(call('POST /api/instance/backups', { limitMs: 600_000 }));
  const [, backup] = await take(2);
  assert.deepEqual([...limits.keys()], [60_000, 600_000]);
  limits.get(60_000)?.abort();
  assert.equal(await usual, 'OFFLINE');
  backup?.answer(200, {});
  assert.equal(await long, 'answered');
});

test('a late answer to an earlier session does not end the one that has begun since', async () => {
  const late = codeOf(call('GET /api/pairs'));
  const [pairs] = await take(1);
  clearSession();
  storeSession('second', { id: 'usr_1' } as User);
  if (pairs) refuse(pairs, 'SESSION_EXPIRED');
  assert.equal(await late, 'SESSION_EXPIRED');
  assert.equal(getAccessToken(), 'second');
});

test('what another call renewed meanwhile is not renewed again', async () => {
  const calls = Promise.all([1, 2].map(() => codeOf(call('GET /api/pairs'))));
  const [early, late] = await take(2);
  assert.ok(early && late);
  refuse(early, 'TOKEN_EXPIRED');
  for (const renewal of await take(1)) renewal.answer(200, { accessToken: 'renewed', refreshToken: '', expiresAt: '' });
  const [repeated] = await take(1);
  refuse(late, 'TOKEN_EXPIRED');
  const [again] = await take(1);
  for (const one of [repeated, again]) {
    assert.deepEqual([one?.path, one?.token], ['/api/pairs', 'renewed']);
    one?.answer(200, { pairs: [] });
  }
  assert.deepEqual(await calls, ['answered', 'answered']);
});

test('who signs out while the token is renewed stays signed out', async () => {
  const late = codeOf(call('GET /api/pairs'));
  for (const one of await take(1)) refuse(one, 'TOKEN_EXPIRED');
  const renewals = await take(1);
  clearSession();
  for (const one of renewals) one.answer(200, { accessToken: 'renewed', refreshToken: '', expiresAt: '' });
  assert.equal(await late, 'SESSION_EXPIRED');
  assert.equal(getAccessToken(), null);
  assert.equal(hasExpired(), false);
});

test('two tabs learn at once that the token has expired: one exchanges it, the other goes on with what that brought', async () => {
  const tabs = [await openTab(), await openTab()];
  const calls = Promise.all(tabs.map((tab) => codeOf(tab.call('GET /api/pairs'))));
  for (const one of await take(2)) refuse(one, 'TOKEN_EXPIRED');
  const renewals = await take(1);
  for (const one of renewals) one.answer(200, { accessToken: 'renewed', refreshToken: '', expiresAt: '' });
  const repeated = await take(2);
  assert.deepEqual(
    [...renewals, ...repeated].map(({ path, token }) => [path, token]),
    [
      ['/api/auth/refresh', 'first'],
      ['/api/pairs', 'renewed'],
      ['/api/pairs', 'renewed'],
    ],
  );
  for (const one of repeated) one.answer(200, { pairs: [] });
  assert.deepEqual(await calls, ['answered', 'answered']);
});

test('a tab that waited while the session ended is told so, and asks for nothing', async () => {
  const tabs = [await openTab(), await openTab()];
  const refreshes = Promise.all(tabs.map((tab) => tab.refreshSession()));
  const [renewal] = await take(1);
  clearSession();
  renewal?.answer(200, { accessToken: 'renewed', refreshToken: '', expiresAt: '' });
  assert.deepEqual(await refreshes, [false, false]);
  assert.equal(asked.length, 0);
});

test('what was asked for in one workspace is not asked for again in the one that the session has gone on in', async () => {
  const userIn = (workspace: string) => ({ id: 'usr_1', workspace: { _id: workspace } }) as User;
  storeSession('ones', userIn('ws_1'));
  const late = codeOf(call('POST /api/sync/manual', { body: {} }));
  for (const one of await take(1)) refuse(one, 'TOKEN_EXPIRED');
  const renewal = { accessToken: 'others', refreshToken: '', expiresAt: '', user: userIn('ws_2') };
  for (const one of await take(1)) one.answer(200, renewal);
  assert.equal(await late, 'SESSION_EXPIRED');
  assert.equal(asked.length, 0);
  assert.deepEqual([getAccessToken(), getUser()?.workspace._id], ['others', 'ws_2']);
  const next = codeOf(call('POST /api/sync/manual', { body: {} }));
  for (const one of await take(1)) one.answer(200, {});
  assert.equal(await next, 'answered');
});

test('what one person asked for is not asked again as another whom a second tab signed in', async () => {
  const userOf = (id: string) => ({ id, workspace: { _id: 'ws_1' } }) as User;
  storeSession('ones', userOf('usr_1'));
  const late = codeOf(call('POST /api/sync/manual', { body: {} }));
  const [sync] = await take(1);
  storeSession('others', userOf('usr_2'));
  if (sync) refuse(sync, 'TOKEN_EXPIRED');
  assert.equal(await late, 'SESSION_EXPIRED');
  assert.equal(asked.length, 0);
  assert.equal(getAccessToken(), 'others');
});
