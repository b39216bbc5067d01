// What a person goes through with an account, from sign-up to curl: the whole program, real HTTP, a real mail server, real processes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { totpCode, totpStep } from '../../accounts/totp.ts';
import type { SessionReply } from '../../contracts/auth.ts';
import type { ErrorReply } from '../../contracts/errors.ts';
import { ROOT } from '../source-files.ts';
import { type MailServer, startMailServer, textOf } from '../support/mail-server.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { eventually, type RunningApp, startTestApp } from './start-test-app.ts';

const run = promisify(execFile);

const ADA = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', company: 'Engines' },
  ...{ password: 'Secret-12', confirmPassword: 'Secret-12', agreeToTerms: true, subscribeToNewsletter: false },
};
const BOB = { ...ADA, firstName: 'Bob', lastName: 'Viewer', email: 'bob@example.com', company: '' };

type Session = SessionReply & ErrorReply;

test('sign up, verify, two-factor, a lost phone, lost codes, a viewer who can change nothing, a token for curl', async () => {
  using dir = makeTempDir();
  const mail = await startMailServer();
  const running = await startTestApp(dir.path, { mail: { smtpUrl: mail.url, from: 'shelf@example.com' } });
  try {
    const owner = await signUpAndVerify(running, mail);
    const codes = await turnOnTwoFactor(running, owner);
    const recovered = await loseThePhone(running, mail, codes);
    const again = await loseTheCodesToo(running, mail, dir.path, recovered);
    await inviteViewer(running, mail, again);
    await callWithCurl(running, again);
  } finally {
    await running.app.stop();
    mail.close();
  }
});

async function signUpAndVerify(running: RunningApp, mail: MailServer): Promise<string> {
  const { status, body } = await running.call<Session>('POST', '/api/auth/signup', ADA);
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.user.isVerified, false);
  const token = await mailedToken(mail, 'verify-email');
  assert.equal((await running.call('POST', '/api/auth/verify-email', { token })).status, 200);
  const me = await running.call<Session>('GET', '/api/auth/me', null, body.accessToken);
  assert.equal(me.body.user.isVerified, true);
  return body.accessToken;
}

/** The recovery codes. */
async function turnOnTwoFactor(running: RunningApp, token: string): Promise<readonly string[]> {
  const begun = await running.call<{ secret: string }>('POST', '/api/auth/two-factor/begin', {}, token);
  const code = totpCode(begun.body.secret, totpStep(Date.now()));
  const { status, body } = await running.call<{ recoveryCodes: string[] }>(
    ...(['POST', '/api/auth/two-factor/enable', { code }, token] as const),
  );
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.recoveryCodes.length, 10);
  return body.recoveryCodes;
}

function login(running: RunningApp, code?: string) {
  const { email, password } = ADA;
  return running.call<Session>('POST', '/api/auth/login', { email, password, ...(code === undefined ? {} : { code }) });
}

/** Back in by a recovery code, with a new app. Gives the session's token. */
async function loseThePhone(running: RunningApp, mail: MailServer, codes: readonly string[]): Promise<string> {
  assert.equal((await login(running)).body.error.code, 'TWO_FACTOR_REQUIRED');
  const [code = ''] = codes;
  const { status, body } = await login(running, code);
  assert.equal(status, 200, JSON.stringify(body));
  await notice(mail, /recovery codes was used/);
  assert.equal((await login(running, code)).body.error.code, 'INVALID_CODE', 'a recovery code is good once');
  const off = await running.call('POST', '/api/auth/two-factor/disable', {}, body.accessToken);
  assert.equal(off.status, 200, JSON.stringify(off.body));
  await turnOnTwoFactor(running, body.accessToken);
  return body.accessToken;
}

/** Phone and codes are gone: whoever has the machine turns the second factor off, beside the running server. */
async function loseTheCodesToo(
  running: RunningApp,
  mail: MailServer,
  dataDir: string,
  before: string,
): Promise<string> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, SMTP_URL: mail.url, MAIL_FROM: 'shelf@example.com' };
  const command = (email: string) =>
    run(process.execPath, [join(ROOT, 'src/main.ts'), 'reset-2fa', email], { env, cwd: ROOT });
  await assert.rejects(command('nobody@example.com'), /No account has this email address/);
  const { stdout } = await command(' Ada@Example.com ');
  assert.match(stdout, /Two-factor sign-in is off.*\n.*email tells the person/);
  await notice(mail, /turned off for your account by who administers the server/);
  assert.equal((await running.call('GET', '/api/auth/me', null, before)).status, 401, 'all devices are signed out');
  const wrong = await running.call<Session>('POST', '/api/auth/login', { email: ADA.email, password: 'Wrong-12' });
  assert.equal(wrong.body.error.code, 'INVALID_CREDENTIALS', 'the password is still asked for');
  const { status, body } = await login(running);
  assert.equal(status, 200, JSON.stringify(body));
  const audit = await running.call<{ entries: { action: string; actorId: string | null }[] }>(
    ...(['GET', '/api/workspace/audit', null, body.accessToken] as const),
  );
  const entry = audit.body.entries.find(({ action }) => action === 'account.two_factor_reset');
  assert.equal(entry?.actorId, null, 'the audit log tells, and names nobody of the workspace');
  await assert.rejects(command(ADA.email), /is off for this account/);
  await turnOnTwoFactor(running, body.accessToken);
  return body.accessToken;
}

/** What a viewer may send: their own account, and what is about nobody else. */
const OWN_BUSINESS = [
  ...['PATCH /api/user/settings', 'POST /api/user/change-password', 'DELETE /api/user/account'],
  ...['POST /api/auth/resend-verification', 'POST /api/auth/prove', 'POST /api/auth/oidc/link'],
  ...['POST /api/auth/oidc/unlink', 'POST /api/auth/two-factor/begin', 'POST /api/auth/two-factor/enable'],
  ...['POST /api/auth/two-factor/disable', 'POST /api/auth/two-factor/recovery-codes'],
  ...['DELETE /api/auth/sessions/{id}', 'POST /api/auth/sessions/end-others', 'POST /api/workspaces'],
  ...['POST /api/workspaces/{id}/switch', 'POST /api/workspace/leave', 'POST /api/invitations/accept'],
  // Their own tokens, which act with no more than their role.
  ...['POST /api/workspace/tokens', 'POST /api/workspace/tokens/{id}/regenerate', 'DELETE /api/workspace/tokens/{id}'],
  // Administrators of the instance only.
  'PATCH /api/instance/users/{id}',
  'POST /api/instance/outbox/test',
  'POST /api/instance/backups',
];

async function inviteViewer(running: RunningApp, mail: MailServer, owner: string): Promise<void> {
  const form = { email: BOB.email, role: 'viewer' };
  const invited = await running.call('POST', '/api/workspace/invitations', form, owner);
  assert.equal(invited.status, 201, JSON.stringify(invited.body));
  const invitation = await mailedToken(mail, 'accept-invite');
  const joined = await running.call<Session>('POST', '/api/auth/signup', { ...BOB, invitation });
  assert.equal(joined.status, 201, JSON.stringify(joined.body));
  const viewer = joined.body.accessToken;

  const before = await everything(running, owner);
  assert.deepEqual(await mutatingRoutes(running, ({ neededRole }) => neededRole === 'viewer'), OWN_BUSINESS.toSorted());
  const forbidden = await mutatingRoutes(running, ({ neededRole }) => neededRole !== 'viewer');
  assert.ok(forbidden.length >= 30, `${forbidden.length} routes`);
  for (const route of forbidden) {
    const [method = '', url = ''] = route.split(' ');
    const path = url.replaceAll(/\{\w+\}/g, 'id_1');
    const { status, body } = await running.call<ErrorReply>(method as 'POST', path, {}, viewer);
    assert.deepEqual([status, body.error.code, body.error.details['role']], [403, 'FORBIDDEN', 'viewer'], route);
  }
  const own = await running.call<{ secret: string }>(
    ...(['POST', '/api/workspace/tokens', { name: 'mine', scope: 'operate' }, viewer] as const),
  );
  assert.equal(own.status, 403, 'no token that could do more than they');
  assert.equal(await everything(running, owner), before, 'nothing moved');
  const seen = await running.call('GET', '/api/stores', null, viewer);
  assert.equal(seen.status, 200, 'looking is what they are there for');
}

interface Described {
  readonly [path: string]: {
    readonly [method: string]: { readonly description: string; readonly security?: readonly unknown[] };
  };
}

/** Routes that change something, from the running server's own description. */
async function mutatingRoutes(
  running: RunningApp,
  which: (route: { readonly neededRole: string }) => boolean,
): Promise<readonly string[]> {
  const { body } = await running.call<{ paths: Described }>('GET', '/api/openapi.json');
  return Object.entries(body.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { description }]) => {
        const neededRole = /Needs the role (\w+)/.exec(description)?.[1];
        if (method === 'get' || neededRole === undefined) return [];
        return which({ neededRole }) ? [`${method.toUpperCase()} ${path}`] : [];
      }),
    )
    .sort();
}

/** What an owner sees of the workspace. */
async function everything(running: RunningApp, owner: string): Promise<string> {
  const paths = ['stores', 'pairs', 'alerts', 'webhook-endpoints', 'workspace/members', 'workspace/invitations'];
  const seen = await Promise.all(
    [...paths, 'workspaces', 'problems', 'conflicts', 'sync/history'].map(async (path) => {
      const { status, body } = await running.call('GET', `/api/${path}`, null, owner);
      assert.equal(status, 200, path);
      return body;
    }),
  );
  return JSON.stringify(seen, null, 1);
}

/** The first lines of docs/api.md, as they stand there. */
async function callWithCurl(running: RunningApp, owner: string): Promise<void> {
  const made = await running.call<{ secret: string }>(
    ...(['POST', '/api/workspace/tokens', { name: 'script', scope: 'read' }, owner] as const),
  );
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const docs = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
  const [, line = ''] = /^(curl .*\/api\/stores".*)$/m.exec(docs) ?? [];
  assert.ok(line.startsWith('curl '), 'docs/api.md begins with a call');
  const env = { PATH: process.env['PATH'], TWINSHELF: running.app.url, TOKEN: made.body.secret };
  const { stdout } = await run('bash', ['--norc', '-euc', line], { env });
  assert.deepEqual(JSON.parse(stdout), { stores: [], total: 0, nextCursor: null });
  const stranger = await run('bash', ['--norc', '-euc', line], { env: { ...env, TOKEN: 'ts_nonsense' } });
  assert.equal((JSON.parse(stranger.stdout) as ErrorReply).error.code, 'UNAUTHORIZED');
}

/** The secret behind the # of a mailed link. */
function mailedToken(mail: MailServer, page: string): Promise<string> {
  return eventually(`a link to ${page}`, () => {
    const texts = mail.received.map(textOf).reverse();
    return texts.map((text) => new RegExp(`/${page}#token=([\\w-]+)`).exec(text)?.[1]).find(Boolean) ?? null;
  });
}

async function notice(mail: MailServer, words: RegExp): Promise<void> {
  await eventually(`an email that says ${words}`, () =>
    mail.received.some((message) => words.test(textOf(message).replaceAll(/\s+/g, ' '))) ? true : null,
  );
}
