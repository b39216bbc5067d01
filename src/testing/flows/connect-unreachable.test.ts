// What the connect form is told of a store that can't be reached: over real sockets, through the whole program.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { makeCertificate } from '../support/make-certificate.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { OWNER } from './start-linked-app.ts';
import { type RunningApp, startTestApp } from './start-test-app.ts';

interface Refused {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: {
      readonly findings: readonly { readonly code: string }[];
      readonly fields?: readonly { readonly field: string; readonly message: string }[];
    };
  };
}

describe('a store that can not be reached', () => {
  const dir = makeTempDir();
  const servers: Server[] = [];
  let running: RunningApp;
  let token: string;

  before(async () => {
    running = await startTestApp(dir.path);
    const { body } = await running.call<{ accessToken: string }>('POST', '/api/auth/signup', OWNER);
    token = body.accessToken;
  });
  after(async () => {
    await running.app.stop();
    for (const server of servers) server.close();
    dir[Symbol.dispose]();
  });

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  async function connect(url: string): Promise<Refused['error']> {
    const keys = { consumerKey: 'ck_1', consumerSecret: 'cs_1' };
    const body = { name: 'Mine', platform: 'woocommerce', url, ...keys };
    const reply = await running.call<Refused>('POST', '/api/stores/connect', body, token);
    assert.equal(reply.status, 422, JSON.stringify(reply.body));
    return reply.body.error;
  }

  async function toldAt(url: string, code: string, words: RegExp): Promise<void> {
    const { message, details } = await connect(url);
    assert.deepEqual(
      details.findings.map((finding) => finding.code),
      [code],
    );
    assert.match(message, words);
    assert.deepEqual(details.fields, [{ field: 'url', message: `url: ${message}` }]);
    assert.doesNotMatch(message, /ECONN|ENOTFOUND|CERT_|ERR_|UND_ERR|within \d+ ms/);
  }

  const dropping = () =>
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.resetAndDestroy());
    });
  const certified = (host: string) => {
    const { certFile, keyFile } = makeCertificate(dir.path, host, host);
    return createHttpsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (_ask, reply) => {
      reply.end('{}');
    });
  };

  test('nothing listens there: the address and its port are named, and what to look at', async () => {
    const gone = createTcpServer();
    const port = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    const words = new RegExp(`^Nothing answers at 127\\.0\\.0\\.1 on port ${port}\\. Check the address`);
    await toldAt(`http://127.0.0.1:${port}`, 'UNREACHABLE', words);
  });

  test('there is no such name', async () => {
    const words = /^There is no server by the name of nobody\.invalid\. Check the address for typing errors/;
    await toldAt('https://nobody.invalid', 'NO_SUCH_HOST', words);
  });

  test('the connection is cut off, and what answers is no web server', async () => {
    await toldAt(`https://127.0.0.1:${await listen(dropping())}`, 'UNREACHABLE', /was cut off before an answer came\./);
    const ssh = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('SSH-2.0-OpenSSH_9.6\r\n');
    });
    await toldAt(`http://127.0.0.1:${await listen(ssh)}`, 'NOT_HTTP', /is no web server\. Check the address/);
  });

  test('http where https was asked for, and a certificate that nobody vouches for', async () => {
    const plain = createHttpServer((_ask, reply) => {
      reply.end('{}');
    });
    await toldAt(`https://127.0.0.1:${await listen(plain)}`, 'NOT_HTTPS', /does not speak https\./);
    const own = `https://127.0.0.1:${await listen(certified('127.0.0.1'))}`;
    await toldAt(own, 'CERTIFICATE_UNTRUSTED', /of 127\.0\.0\.1 is self-signed\. Install a certificate/);
  });

  test('redirects that lead back, and to an address without encryption: following the advice would not help', async () => {
    let base = '';
    const circle = createHttpServer((ask, reply) => {
      reply.writeHead(301, { location: `${base}${ask.url?.replace(/\?.*$/, '')}` }).end();
    });
    base = `http://127.0.0.1:${await listen(circle)}`;
    await toldAt(base, 'REDIRECTED_IN_A_CIRCLE', /in a circle\. .*X-Forwarded-Proto/);
  });

  test('keys that a reachable store does not know are no fault of the address', async () => {
    const unknown = createHttpServer((_ask, reply) => {
      const body = { code: 'woocommerce_rest_cannot_view', message: 'Sorry, you cannot list resources.' };
      reply.writeHead(401, { 'content-type': 'application/json' });
      reply.end(JSON.stringify({ ...body, data: { status: 401 } }));
    });
    const { details } = await connect(`http://127.0.0.1:${await listen(unknown)}`);
    assert.equal(details.fields, undefined);
  });
});
