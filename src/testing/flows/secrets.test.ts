import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import Database from 'better-sqlite3';
import { totpCode, totpStep } from '../../accounts/totp.ts';
import { rotateKey } from '../../app/rotate-key.ts';
import type { SessionReply } from '../../contracts/auth.ts';
import { SEALED_COLUMNS } from '../../db/reseal.ts';
import { createShopifySandbox } from '../../sandbox/shopify/create-shopify-sandbox.ts';
import { createWooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { type RunningApp, startTestApp, testConfig } from './start-test-app.ts';

/** Each is told from everything else in the world. */
const PLANTED = {
  password: 'Planted-Passw0rd-7f3a',
  newPassword: 'Planted-Passw0rd-9c1e',
  wrongPassword: 'Planted-Wr0ng-5d2b',
  email: 'planted.person.4e8d@example.com',
  firstName: 'Plantedfirstname',
  lastName: 'Plantedlastname',
  company: 'Plantedcompany Ltd',
  invited: 'planted.guest.77aa@example.com',
  consumerSecret: 'cs_wrong_planted_1b2c3d4e5f60718293a4b5c6d7e8f901',
};

interface Spill {
  readonly where: string;
  readonly text: string;
}

test('secrets and personal data never reach the log, an error, a reply, or the database file in the clear', async () => {
  using dir = makeTempDir();
  const woo = createWooSandbox({ currency: 'USD' });
  const shopify = createShopifySandbox({ allowHttpWebhooks: true });
  const { url } = await woo.listen();
  const { origin } = await shopify.listen();
  const replies: Spill[] = [];
  let running = await startTestApp(dir.path);
  const secrets = new Map<string, string>(Object.entries(PLANTED));
  const call = async <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body: object | null, token = '') => {
    const reply = await running.call<T>(method, path, body, token);
    replies.push({ where: `${method} ${path} -> ${reply.status}`, text: JSON.stringify(reply.body) });
    return reply.body;
  };
  try {
    const { token } = await plantAccount(call, secrets);
    const form = { name: 'Woo', platform: 'woocommerce', url, consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
    const shop = { name: 'Shop', platform: 'shopify', shopDomain: new URL(origin).host };
    await call('POST', '/api/stores/connect', { ...form, consumerSecret: PLANTED.consumerSecret }, token);
    await call('POST', '/api/stores/connect', { ...form, url: 'http://127.0.0.1:9/' }, token);
    await call('POST', '/api/stores/connect', form, token);
    await call(
      'POST',
      '/api/stores/connect',
      { ...shop, accessToken: 'shpat_sandbox_token', apiSecret: 'sandbox-client-secret' },
      token,
    );
    for (const secret of ['cs_sandbox', 'shpat_sandbox_token', 'sandbox-client-secret']) secrets.set(secret, secret);
    for (const path of [
      '/api/stores',
      '/api/pairs',
      '/api/activity',
      '/api/problems',
      '/api/workspace/audit',
      '/api/workspace/tokens',
    ]) {
      await call('GET', path, null, token);
    }
    await running.app.stop();
    noneIn([{ where: 'the log', text: running.log.text() }], secrets);
    noneIn(
      replies.filter(({ where }) => !mayTell(where)),
      new Map([...secrets].filter(([name]) => !OWN_DATA.has(name))),
    );
    // The company is the workspace's name as well, which is nobody's secret.
    noneIn(filesOf(dir.path), new Map([...secrets].filter(([name]) => name !== 'company')));

    const before = sealedValues(dir.path);
    assert.ok(before.length >= 10, 'there is something sealed');
    const { count } = rotateKey(testConfig(dir.path));
    const after = sealedValues(dir.path);
    assert.equal(count, before.length, 'every sealed value stands in a column that the rotation knows');
    const keyIds = (values: readonly string[]) => [...new Set(values.map((value) => value.split('.')[1]))];
    assert.equal(keyIds(after).length, 1);
    assert.notDeepEqual(keyIds(after), keyIds(before));
    assert.equal(statSync(join(dir.path, 'encryption.key')).mode & 0o777, 0o600);
    running = await startTestApp(dir.path);
    const password = PLANTED.newPassword;
    const recovery = secrets.get('recoveryCode') ?? '';
    const again = await call<SessionReply>('POST', '/api/auth/login', {
      email: PLANTED.email,
      password,
      code: recovery,
    });
    assert.equal(again.user.email, PLANTED.email);
    const { stores } = await call<{ stores: { _id: string }[] }>('GET', '/api/stores', null, again.accessToken);
    const tested = await call<{ isOk: boolean }>(
      'POST',
      `/api/stores/${stores[0]?._id}/test-connection`,
      null,
      again.accessToken,
    );
    assert.equal(tested.isOk, true, 'credentials open with the new key');
  } finally {
    await running.app.stop();
    await woo.close();
    await shopify.close();
  }
});

/** A person's own data is shown to that person. */
const OWN_DATA = new Set(['email', 'firstName', 'lastName', 'company', 'invited']);

/** Where a secret is handed over, this once. */
function mayTell(where: string): boolean {
  return /auth\/(signup|login|two-factor)|workspace\/tokens -> 201/.test(where);
}

type Call = <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body: object | null, token?: string) => Promise<T>;

/** Everything that an account can hold: tokens, a second factor, mailed links, an invitation, an API token. */
async function plantAccount(call: Call, secrets: Map<string, string>): Promise<{ token: string }> {
  const { password, newPassword, email, firstName, lastName, company } = PLANTED;
  const form = { email, firstName, lastName, company, password, confirmPassword: password, agreeToTerms: true };
  const session = await call<SessionReply>('POST', '/api/auth/signup', form);
  const token = session.accessToken;
  secrets.set('accessToken', token).set('refreshToken', session.refreshToken);
  await call('POST', '/api/auth/login', { email, password: PLANTED.wrongPassword });
  await call('POST', '/api/auth/login', { email, password: { nested: password } });
  await call('POST', '/api/auth/verify-email', { token: session.refreshToken });
  const begun = await call<{ secret: string }>('POST', '/api/auth/two-factor/begin', null, token);
  secrets.set('totpSecret', begun.secret);
  const code = totpCode(begun.secret, totpStep(Date.now()));
  const enabled = await call<{ recoveryCodes: string[] }>('POST', '/api/auth/two-factor/enable', { code }, token);
  secrets.set('recoveryCode', enabled.recoveryCodes[0] ?? '').set('recoveryCode2', enabled.recoveryCodes[1] ?? '');
  const made = await call<{ secret: string }>(
    'POST',
    '/api/workspace/tokens',
    { name: 'script', scope: 'read' },
    token,
  );
  secrets.set('apiToken', made.secret);
  await call('GET', '/api/stores', null, made.secret);
  await call('POST', '/api/workspace/invitations', { email: PLANTED.invited, role: 'viewer' }, token);
  await call('POST', '/api/auth/forgot-password', { email });
  const { mails } = await call<{ mails: { _id: string }[] }>('GET', '/api/instance/outbox', null, token);
  assert.ok(mails.length >= 4);
  await call('POST', '/api/user/change-password', { currentPassword: password, newPassword }, token);
  return { token };
}

function noneIn(places: readonly Spill[], secrets: ReadonlyMap<string, string>): void {
  for (const { where, text } of places) {
    for (const [name, secret] of secrets) assert.ok(!text.includes(secret), `${name} is in ${where}`);
  }
}

/** The database with its log of writes, byte by byte, and whatever else lies beside it but the keys themselves. */
function filesOf(dir: string): Spill[] {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(dir, name)).isFile());
  assert.ok(files.includes('twinshelf.db'));
  return files.map((name) => ({ where: name, text: readFileSync(join(dir, name), 'latin1') }));
}

/** Every value of every table that looks sealed, wherever it stands. */
function sealedValues(dir: string): string[] {
  const db = new Database(join(dir, 'twinshelf.db'), { readonly: true });
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const values = tables.flatMap((table) =>
    (db.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[]).flatMap((row) =>
      Object.entries(row)
        .filter(([, value]) => typeof value === 'string' && /^v1\.[0-9a-f]{8}\./.test(value))
        .map(([column, value]) => {
          const isKnown = SEALED_COLUMNS.some((one) => one.table === table && one.column === column);
          assert.ok(isKnown, `${table}.${column} is sealed: db/reseal.ts has to know`);
          return String(value);
        }),
    ),
  );
  db.close();
  return values;
}

test('what a request with an Idempotency-Key is known by is a keyed hash: its body may be a password, and a rotation leaves it alone', async () => {
  using here = makeTempDir();
  using elsewhere = makeTempDir();
  const { email, password } = PLANTED;
  const form = { email, firstName: 'Ada', lastName: 'Lovelace', company: '', password, confirmPassword: password };
  const prove = async ({ app }: RunningApp, token: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'once',
    };
    const reply = await fetch(`${app.url}/api/auth/prove`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ password }),
    });
    return [reply.status, reply.headers.get('idempotent-replayed')];
  };
  const fingerprintIn = async (dir: string) => {
    const running = await startTestApp(dir);
    const { body } = await running.call<SessionReply>('POST', '/api/auth/signup', { ...form, agreeToTerms: true });
    assert.deepEqual(await prove(running, body.accessToken), [200, null]);
    await running.app.stop();
    const db = new Database(join(dir, 'twinshelf.db'), { readonly: true });
    const fingerprint = db.prepare('SELECT fingerprint FROM idempotent_reply').pluck().get();
    db.close();
    return { fingerprint, token: body.accessToken };
  };
  const [first, second] = [await fingerprintIn(here.path), await fingerprintIn(elsewhere.path)];
  assert.notEqual(first.fingerprint, second.fingerprint, 'a password that is guessed can be compared with it');
  rotateKey(testConfig(here.path));
  const running = await startTestApp(here.path);
  try {
    assert.deepEqual(await prove(running, first.token), [200, 'true'], 'the same request is still known');
  } finally {
    await running.app.stop();
  }
});

test('a rotation that was cut off is taken up again, and a wrong key is told before anything is changed', async () => {
  using dir = makeTempDir();
  const running: RunningApp = await startTestApp(dir.path);
  await running.app.stop();
  const config = testConfig(dir.path);
  rotateKey(config);
  const once = readFileSync(join(dir.path, 'encryption.key'), 'utf8').trim();
  rotateKey(config);
  const twice = readFileSync(join(dir.path, 'encryption.key'), 'utf8').trim();
  assert.notEqual(once, twice);
  assert.equal(readFileSync(join(dir.path, 'encryption.key.old'), 'utf8').trim().split(',')[0], once);
  const wrong = { ...config, given: { ...config.given, encryptionKeys: [new Uint8Array(32).fill(1)] } };
  assert.throws(() => rotateKey(wrong), /is not the key/);
  const right = { ...config, given: { ...config.given, encryptionKeys: [Buffer.from(twice, 'hex')] } };
  assert.throws(() => rotateKey(right), /nothing to rotate to/);
  const both = [new Uint8Array(32).fill(9), Buffer.from(twice, 'hex')];
  assert.ok(rotateKey({ ...config, given: { ...config.given, encryptionKeys: both } }).count > 0);
  const only = [new Uint8Array(32).fill(9)];
  const started = await startTestApp(dir.path, { given: { ...config.given, encryptionKeys: only } });
  await started.app.stop();
});

test('the key of a database that is larger than the memory is rotated: the file is rewritten beside itself', {
  skip: process.platform === 'linux' ? false : 'the peak of memory is read from /proc',
}, async () => {
  using dir = makeTempDir();
  const { app } = await startTestApp(dir.path);
  await app.stop();
  const db = new Database(join(dir.path, 'twinshelf.db'));
  db.exec('CREATE TABLE ballast (data BLOB)');
  const add = db.prepare('INSERT INTO ballast VALUES (randomblob(1000000))');
  db.transaction(() => {
    for (let n = 0; n < 100; n += 1) add.run();
  })();
  db.close();
  writeFileSync('/proc/self/clear_refs', '5');
  const before = peakMb();
  rotateKey(testConfig(dir.path));
  const grown = peakMb() - before;
  assert.ok(grown < 50, `it took ${grown} MB more`);
});

/** Since it was last cleared. */
function peakMb(): number {
  const [, kb] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}

test('a disk without room for a rotation is told with what to do, and the rotation is taken up again', async () => {
  using dir = makeTempDir();
  const { app } = await startTestApp(dir.path);
  await app.stop();
  const original = Database.prototype.exec;
  const exec = mock.method(Database.prototype, 'exec', function (this: Database.Database, sql: string) {
    if (sql !== 'VACUUM') return original.call(this, sql);
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  });
  try {
    assert.throws(() => rotateKey(testConfig(dir.path)), {
      name: 'StartupError',
      message: /could not be finished: database or disk is full/,
      remedy: /^Free .* run it again/,
    });
  } finally {
    exec.mock.restore();
  }
  assert.match(readFileSync(join(dir.path, 'encryption.key'), 'utf8'), /^[0-9a-f]{64},[0-9a-f]{64}\n$/);
  assert.ok(rotateKey(testConfig(dir.path)).count > 0);
  assert.match(readFileSync(join(dir.path, 'encryption.key'), 'utf8'), /^[0-9a-f]{64}\n$/);
});
