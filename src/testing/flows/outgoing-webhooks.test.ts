import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { SessionReply } from '../../contracts/auth.ts';
import type { EndpointMessagesReply, EndpointSecretReply, EndpointsReply } from '../../contracts/endpoints.ts';
import type { ErrorReply } from '../../contracts/errors.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { eventually, startTestApp } from './start-test-app.ts';

const FORM = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  password: 'Secret-12',
  confirmPassword: 'Secret-12',
  agreeToTerms: true,
};

test('an outgoing webhook reaches a real receiver, signed, and survives a restart', async () => {
  using dir = makeTempDir();
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 200;
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  let running = await startTestApp(dir.path);
  try {
    const session = await running.call<SessionReply>('POST', '/api/auth/signup', FORM);
    const token = session.body.accessToken;
    const refused = await running.call('POST', '/api/webhook-endpoints', { url: 'ftp://example.com' }, token);
    assert.equal(refused.status, 422);
    const made = await running.call<EndpointSecretReply>('POST', '/api/webhook-endpoints', { url }, token);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { endpoint, secret } = made.body;
    const path = `/api/webhook-endpoints/${endpoint._id}`;
    // Whoever takes the last event off a list does not mean all of them.
    assert.equal(endpoint.events, null, 'all, when nothing is said');
    for (const [method, to] of [
      ['POST', '/api/webhook-endpoints'],
      ['PATCH', path],
    ] as const) {
      const { status, body } = await running.call<ErrorReply>(method, to, { url, events: [] }, token);
      assert.deepEqual([status, body.error.message], [422, 'events: must name at least 1']);
    }
    const change = async (events: readonly string[] | null) =>
      (await running.call<EndpointSecretReply>('PATCH', path, { events }, token)).body.endpoint.events;
    assert.deepEqual([await change(['run.failed']), await change(null)], [['run.failed'], null]);
    const log = async () =>
      (await running.call<EndpointMessagesReply>('GET', `${path}/messages`, null, token)).body.messages;

    assert.equal((await running.call('POST', `${path}/test`, {}, token)).status, 202);
    const first = await eventually('the test message', () => got[0] ?? null);
    const id = first.headers['webhook-id'];
    const signed = `${id}.${first.headers['webhook-timestamp']}.${first.body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    assert.equal(first.headers['webhook-signature'], `v1,${signature}`);
    assert.equal(JSON.parse(first.body).type, 'endpoint.test');
    await eventually('its entry in the log', async () => ((await log())[0]?.status === 'delivered' ? true : null));

    // The receiver fails once; the message waits in the database while the server is off.
    status = 500;
    await running.call('POST', `${path}/test`, {}, token);
    await eventually('a failed attempt', async () => ((await log())[0]?.lastStatus === 500 ? true : null));
    await running.app.stop();
    status = 200;
    running = await startTestApp(dir.path);
    await eventually('the message after the restart', () => (got.length === 3 ? true : null), 20_000);
    assert.equal(got[2]?.body, got[1]?.body);
    const list = await running.call<EndpointsReply>('GET', '/api/webhook-endpoints', null, token);
    assert.equal(list.body.endpoints.length, 1);
    assert.doesNotMatch(JSON.stringify(list.body), /whsec_/, 'a secret is shown once');
  } finally {
    await running.app.stop();
    receiver.close();
  }
});

test('the address of a chat is its password: a failed message names it nowhere', async () => {
  using dir = makeTempDir();
  const running = await startTestApp(dir.path);
  try {
    const session = await running.call<SessionReply>('POST', '/api/auth/signup', FORM);
    const token = session.body.accessToken;
    // Nobody listens there.
    const form = { kind: 'chat', url: 'http://127.0.0.1:9/services/T0/PLANTED-PATH' };
    const made = await running.call<EndpointSecretReply>('POST', '/api/webhook-endpoints', form, token);
    assert.equal(made.body.endpoint.url, 'http://127.0.0.1:9/…');
    const path = `/api/webhook-endpoints/${made.body.endpoint._id}`;
    await running.call('POST', `${path}/test`, {}, token);
    const failed = await eventually('a failed attempt', async () => {
      const { body } = await running.call<EndpointMessagesReply>('GET', `${path}/messages`, null, token);
      return body.messages[0]?.lastError ?? null;
    });
    assert.equal(failed, 'It refused the connection.');
    assert.doesNotMatch(running.log.text(), /PLANTED-PATH/);
  } finally {
    await running.app.stop();
  }
  for (const file of globSync(`${dir.path}/**/*.db*`))
    assert.doesNotMatch(readFileSync(file, 'latin1'), /PLANTED-PATH/, file);
});
