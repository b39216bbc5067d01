// The server with a certificate of its own, over real sockets.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { followCertificate, readCertificate } from '../../system/certificate.ts';
import { makeCertificate } from '../support/make-certificate.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { makeTestLog } from '../support/test-log.ts';
import { eventually, startTestApp, testConfig } from './start-test-app.ts';

function ask(url: string, ca: string, body: object | null = null): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const asked = request(url, { ca, agent: false, method: body === null ? 'GET' : 'POST', headers }, (reply) => {
      reply.resume();
      resolve(reply);
    });
    asked.on('error', reject);
    asked.end(body === null ? undefined : JSON.stringify(body));
  });
}

test('with TLS_CERT and TLS_KEY the server speaks https itself, from TLS 1.2 on', async () => {
  using dir = makeTempDir();
  const tls = makeCertificate(dir.path);
  const { server } = testConfig(dir.path);
  const { app } = await startTestApp(dir.join('data'), { server: { ...server, tls } });
  try {
    const ca = readFileSync(tls.certFile, 'utf8');
    assert.match(app.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const health = await ask(`${app.url}/api/health`, ca);
    assert.equal(health.statusCode, 200);
    assert.match(health.headers['strict-transport-security'] ?? '', /^max-age=31536000/);
    const form = {
      ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', password: 'Secret-12' },
      ...{ confirmPassword: 'Secret-12', agreeToTerms: true },
    };
    const signedUp = await ask(`${app.url}/api/auth/signup`, ca, form);
    assert.equal(signedUp.statusCode, 201);
    assert.match(signedUp.headers['set-cookie']?.join() ?? '', /; Secure/);

    const { port } = new URL(app.url);
    const protocolOf = (maxVersion: 'TLSv1.1' | 'TLSv1.3') =>
      new Promise<string | null>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port: Number(port), ca, minVersion: 'TLSv1', maxVersion }, () => {
          resolve(socket.getProtocol());
          socket.destroy();
        });
        socket.on('error', () => resolve(null));
      });
    assert.equal(await protocolOf('TLSv1.3'), 'TLSv1.3');
    assert.equal(await protocolOf('TLSv1.1'), null);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/api/health`), 'plain http is not answered');
  } finally {
    await app.stop();
  }
});

test('a demo store reaches a server whose certificate bears another name', async () => {
  using dir = makeTempDir();
  const { server } = testConfig(dir.path);
  const { app, log } = await startTestApp(dir.join('data'), {
    ...{ server: { ...server, tls: makeCertificate(dir.path) }, demo: true },
  });
  try {
    const ca = readFileSync(dir.join('own.cert.pem'), 'utf8');
    assert.equal((await ask(`${app.url}/api/demo/session`, ca, {})).statusCode, 201);
    await eventually('a delivery of the demo', () =>
      /webhooks\/:storeId","status":200/.test(log.text()) ? true : null,
    );
  } finally {
    await app.stop();
  }
});

test('a renewed certificate is taken up without a restart; a broken one is told and not used', async () => {
  using dir = makeTempDir();
  const [files, other] = [makeCertificate(dir.path), makeCertificate(dir.path, 'next')];
  const log = makeTestLog();
  const taken: string[] = [];
  const stop = followCertificate(files, readCertificate(files), ({ cert }) => taken.push(cert), log, 10);
  try {
    writeFileSync(files.certFile, 'half a file');
    await eventually('a word about it', () => (/can not be read again/.test(log.text()) ? true : null));
    assert.deepEqual(taken, []);
    copyFileSync(other.certFile, files.certFile);
    copyFileSync(other.keyFile, files.keyFile);
    await eventually('the next one', () => (taken.length > 0 ? true : null));
    assert.deepEqual(taken, [readFileSync(other.certFile, 'utf8')]);
  } finally {
    stop();
  }
});

test('files that can not be a certificate stop the start, in words that name the setting', () => {
  using dir = makeTempDir();
  const [one, two] = [makeCertificate(dir.path), makeCertificate(dir.path, 'two')];
  const refused = (certFile: string, keyFile: string, words: RegExp) =>
    assert.throws(() => readCertificate({ certFile, keyFile }), { name: 'StartupError', message: words });
  refused(dir.join('none.pem'), one.keyFile, /^TLS_CERT can not be read: ENOENT/);
  writeFileSync(dir.join('empty.pem'), '');
  refused(one.certFile, dir.join('empty.pem'), /^TLS_KEY names .*empty\.pem, which is no PEM file\.$/);
  refused(one.certFile, two.keyFile, /^TLS_CERT and TLS_KEY do not go together/);
});
