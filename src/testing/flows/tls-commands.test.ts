// What a container runs beside its server: the health check of the image, and commands that ask the server; over plain http and https.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import type { SessionReply } from '../../contracts/auth.ts';
import { ROOT } from '../source-files.ts';
import { makeCertificate } from '../support/make-certificate.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { OWNER } from './start-linked-app.ts';
import { startTestApp, testConfig } from './start-test-app.ts';

const CHECK = join(ROOT, 'scripts/health-check.sh');
const MAIN = join(ROOT, 'src/main.ts');
/** As the image sets it. */
const HOST = '0.0.0.0';

async function run(command: string, args: readonly string[], env: Record<string, string>) {
  const PATH = `${join(process.execPath, '..')}:${process.env['PATH']}`;
  const child = spawn(command, args, { env: { PATH, ...env } });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, out };
}

/** The new owner's access token. */
async function signUp(url: string, certFile: string): Promise<string> {
  const options = {
    method: 'POST',
    ca: readFileSync(certFile),
    checkServerIdentity: () => undefined,
    agent: false,
  } as const;
  const asked = request(`${url}/api/auth/signup`, { ...options, headers: { 'content-type': 'application/json' } });
  asked.end(JSON.stringify(OWNER));
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  return ((await json(reply)) as SessionReply).accessToken;
}

const check = (env: Record<string, string>) => run(CHECK, [], { HOST, ...env });

test('the health check of the image asks with the scheme that the server speaks', async () => {
  const [, instruction] =
    /^HEALTHCHECK .* CMD \["\.\/([\w.-]+)"\]$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  assert.equal(instruction, 'health-check.sh');
  using dir = makeTempDir();
  const tls = makeCertificate(dir.path);
  for (const own of [null, tls]) {
    const { server } = testConfig(dir.path);
    const { app } = await startTestApp(dir.join(own === null ? 'plain' : 'tls'), { server: { ...server, tls: own } });
    const PORT = new URL(app.url).port;
    const TLS_CERT = own?.certFile ?? '';
    try {
      assert.deepEqual(await check({ PORT, TLS_CERT }), { code: 0, out: '' });
      assert.equal((await check({ PORT, TLS_CERT, HOST: '127.0.0.1' })).code, 0);
      assert.equal((await check({ PORT, TLS_CERT: own === null ? tls.certFile : '' })).code, 1, 'the other scheme');
    } finally {
      await app.stop();
    }
    assert.equal((await check({ PORT, TLS_CERT })).code, 1, 'nobody is there');
  }
});

test('the health check fails while the server is not ready, and when it does not answer', async () => {
  let isSilent = false;
  const server = createServer((_request, reply) => {
    if (!isSilent) reply.writeHead(503).end('{"status":"starting"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const PORT = String((server.address() as AddressInfo).port);
  try {
    assert.equal((await check({ PORT })).code, 1);
    isSilent = true;
    assert.equal((await check({ PORT })).code, 1);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('beside a server with its own certificate, commands reach it with nothing but its settings', async () => {
  using dir = makeTempDir();
  const [tls, other] = [makeCertificate(dir.path, 'own', 'sync.example.com'), makeCertificate(dir.path, 'other')];
  const { server } = testConfig(dir.path);
  const { app } = await startTestApp(dir.join('data'), { server: { ...server, tls } });
  try {
    const API_TOKEN = await signUp(app.url, tls.certFile);
    const list = (env: Record<string, string>) =>
      run(process.execPath, [MAIN, 'stores', 'list'], {
        ...{ PORT: new URL(app.url).port, API_TOKEN, TLS_CERT: tls.certFile, TLS_KEY: tls.keyFile },
        ...env,
      });
    assert.deepEqual(await list({}), { code: 0, out: 'Nothing.\n' });
    const stranger = await list({ TLS_CERT: other.certFile });
    assert.equal(stranger.code, 1, 'a server with another certificate is not given the token');
    assert.match(stranger.out, /There is no answer from https:\/\/127\.0\.0\.1:/);
    assert.match((await list({ TLS_CERT: dir.join('none.pem') })).out, /none\.pem, which can not be read/);
  } finally {
    await app.stop();
  }
});
