// Programs that call the API more than the limit: who is told what, how often, and over a restart. The whole program, real HTTP, a real mail server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../config/config.ts';
import type { AlertsReply } from '../../contracts/alerts.ts';
import type { SessionReply } from '../../contracts/auth.ts';
import type { OverviewReply } from '../../contracts/dashboard.ts';
import type { ServerMessage } from '../../contracts/live.ts';
import { openDatabase, transact } from '../../db/database.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import { type MailServer, startMailServer, textOf } from '../support/mail-server.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { eventually, type RunningApp, startTestApp } from './start-test-app.ts';

const ADA = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', password: 'Secret-12' },
  ...{ confirmPassword: 'Secret-12', agreeToTerms: true },
};
const BOB = { ...ADA, firstName: 'Bob', email: 'bob@example.com' };
const WARNING =
  /^API calls approaching limit: 17 of 20 in the hour from .* UTC\. Nothing is refused when it is reached\.$/;
const EXCEEDED = /^API calls exceeded the limit: 21 of 20 in the hour from .* UTC\. Nothing is refused for it\.$/;
const USAGE_MAIL = /API calls (approaching|exceeded)/;

function start(dataDir: string, mail: MailServer): Promise<RunningApp> {
  const { usageLimits } = loadConfig({ USAGE_API_CALLS_PER_HOUR: '20' });
  const sender = { smtpUrl: mail.url, from: 'shelf@example.com' };
  return startTestApp(dataDir, { mail: sender, signup: 'open', usageLimits });
}

/** As the dashboard asks for its own pages. */
async function look<T>({ app }: RunningApp, path: string, token: string): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'x-requested-by': 'dashboard' };
  const reply = await fetch(`${app.url}${path}`, { headers });
  assert.equal(reply.status, 200);
  return (await reply.json()) as T;
}

const meterOf = async (running: RunningApp, token: string) =>
  (await look<OverviewReply>(running, '/api/dashboard/overview', token)).usage;

async function alertsOf(running: RunningApp, token: string): Promise<readonly string[]> {
  const { recent } = await look<AlertsReply>(running, '/api/alerts', token);
  return recent.filter(({ kind }) => kind === 'usage').map(({ message }) => message);
}

async function callApi(running: RunningApp, token: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const { status } = await running.call('GET', '/api/stores', null, token);
    assert.equal(status, 200, 'nothing is refused, whatever the usage');
  }
}

/** Live messages about usage, as a page that is open hears them. */
async function listen({ app }: RunningApp, token: string): Promise<{ readonly heard: ServerMessage[]; close(): void }> {
  const heard: ServerMessage[] = [];
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/ws`);
  let isReady = false;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as ServerMessage;
    if (message.type === 'ready') isReady = true;
    if (message.type === 'usage_alert') heard.push(message);
  });
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ type: 'authenticate', payload: { accessToken: token } }));
  });
  await eventually('the live channel', () => (isReady ? true : null));
  return { heard, close: () => socket.close() };
}

/** Alerts gather for a minute, and ten minutes lie between two messages: while the server is off, all of that passes. */
function letAlertsComeDue(dataDir: string): void {
  const db = openDatabase({ file: join(dataDir, 'twinshelf.db') });
  transact(db, (tx) => {
    tx.connection.exec('UPDATE alert SET due_at = 0');
    tx.connection.exec(`UPDATE job SET run_at = 0 WHERE task = 'send_alerts'`);
  });
  db.connection.close();
}

async function signUp(running: RunningApp, mail: MailServer, form: typeof ADA): Promise<string> {
  const { status, body } = await running.call<SessionReply>('POST', '/api/auth/signup', form);
  assert.equal(status, 201, JSON.stringify(body));
  const letter = await eventually('the letter', () => mail.received.find((one) => one.includes(form.email)) ?? null);
  const token = /verify-email[#?]token=([\w-]+)/.exec(textOf(letter))?.[1];
  assert.equal((await running.call('POST', '/api/auth/verify-email', { token })).status, 200);
  return body.accessToken;
}

test('calls cross 80 and 100 percent: told once each, by email and live, over restarts, in this workspace only', async () => {
  // Everything happens within one hour.
  const left = HOUR_MS - (Date.now() % HOUR_MS);
  if (left < MINUTE_MS) await sleep(left);
  using dir = makeTempDir();
  const mail = await startMailServer();
  const mails = () =>
    mail.received
      .map(textOf)
      .flatMap((text) => text.split(/\r?\n/))
      .filter((line) => USAGE_MAIL.test(line));
  let running = await start(dir.path, mail);
  try {
    const ada = await signUp(running, mail, ADA);
    const bob = await signUp(running, mail, BOB);
    const made = await running.call<{ secret: string }>(
      'POST',
      '/api/workspace/tokens',
      { name: 'Loop', scope: 'read' },
      ada,
    );
    const program = made.body.secret;
    const live = await listen(running, ada);
    // Making the token was the first.
    await callApi(running, program, 15);
    await callApi(running, bob, 3);
    await callApi(running, ada, 1);
    const [warning = ''] = await eventually('the warning', async () => {
      const alerts = await alertsOf(running, ada);
      return alerts.length > 0 ? alerts : null;
    });
    assert.match(warning, WARNING);
    assert.deepEqual(
      live.heard.map((one) => one.type === 'usage_alert' && [`${one.payload.message}.`, one.payload.level]),
      [[warning.replace(/ Nothing.*/, ''), 'warning']],
    );
    live.close();
    const { meters, apiCallsThisMonth } = await meterOf(running, ada);
    assert.deepEqual(meters, [
      { kind: 'api_calls', label: 'API calls', period: 'hour', count: 17, limit: 20, level: 'warning' },
    ]);
    assert.equal(apiCallsThisMonth, 17);

    await running.app.stop();
    letAlertsComeDue(dir.path);
    running = await start(dir.path, mail);
    await eventually('the email', () => (mails().length > 0 ? true : null), 20_000);
    await callApi(running, program, 3);
    await running.app.stop();
    running = await start(dir.path, mail);
    // A stop loses nothing that was counted.
    assert.equal((await meterOf(running, ada)).apiCallsThisMonth, 20);
    assert.equal((await alertsOf(running, ada)).length, 1, 'told once, whatever was restarted');

    await callApi(running, program, 1);
    await running.app.stop();
    running = await start(dir.path, mail);
    const alerts = await eventually('the second alert', async () => {
      const told = await alertsOf(running, ada);
      return told.length > 1 ? told : null;
    });
    assert.match(alerts[0] ?? '', EXCEEDED);
    await callApi(running, program, 10);
    await running.app.stop();
    letAlertsComeDue(dir.path);
    running = await start(dir.path, mail);
    await eventually('the second email', () => (mails().length > 1 ? true : null), 20_000);
    assert.equal((await meterOf(running, ada)).meters[0]?.level, 'exceeded');
    assert.equal((await alertsOf(running, ada)).length, 2);
    const [first = '', second = '', ...more] = mails().map((line) => line.replace(/^\W+/, ''));
    assert.match(first, WARNING);
    assert.match(second, EXCEEDED);
    assert.deepEqual(more, []);
    assert.ok(mail.received.every((one) => !USAGE_MAIL.test(textOf(one)) || one.includes(ADA.email)));

    assert.deepEqual(await alertsOf(running, bob), []);
    assert.equal((await meterOf(running, bob)).apiCallsThisMonth, 3, 'another workspace is counted apart');
  } finally {
    await running.app.stop();
    mail.close();
  }
});
