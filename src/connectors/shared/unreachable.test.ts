import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { toTransportError } from './transport-failure.ts';
import { createUndiciTransport } from './undici-transport.ts';
import { explainUnreachable } from './unreachable.ts';

const at = (code: string, address = 'https://shop.example') => {
  const told = explainUnreachable(code, address);
  assert.ok(told !== null, code);
  return told;
};

/** What Node, OpenSSL and undici say of servers that can't be talked to, and what a person reads. */
const KINDS: readonly (readonly [code: string, name: string, words: RegExp])[] = [
  ['ENOTFOUND', 'NO_SUCH_HOST', /^there is no server by the name of shop\.example$/],
  ['EAI_AGAIN', 'NAME_LOOKUP_FAILED', /^the name shop\.example could not be looked up$/],
  ['ECONNREFUSED', 'UNREACHABLE', /^nothing answers at shop\.example on port 443$/],
  ['EHOSTUNREACH', 'UNREACHABLE', /^no way leads from here to shop\.example$/],
  ['ENETUNREACH', 'UNREACHABLE', /^no way leads from here to shop\.example$/],
  ['ETIMEDOUT', 'TIMED_OUT', /^no connection to shop\.example on port 443 comes about in time$/],
  ['UND_ERR_CONNECT_TIMEOUT', 'TIMED_OUT', /^no connection to shop\.example on port 443 comes about in time$/],
  ['ECONNRESET', 'UNREACHABLE', /cut off before an answer came$/],
  ['UND_ERR_SOCKET', 'UNREACHABLE', /cut off before an answer came$/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERTIFICATE_UNTRUSTED', /of shop\.example is self-signed$/],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'CERTIFICATE_UNTRUSTED', /an authority that is not known publicly$/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERTIFICATE_UNTRUSTED', /comes without its chain/],
  ['CERT_HAS_EXPIRED', 'CERTIFICATE_EXPIRED', /of shop\.example has expired$/],
  ['CERT_NOT_YET_VALID', 'CERTIFICATE_NOT_YET_VALID', /is not valid yet$/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'CERTIFICATE_WRONG_NAME', /shop\.example shows is for another name$/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'NOT_HTTPS', /^what answers at shop\.example on port 443 does not speak https$/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'TLS_FAILED', /^no encrypted connection/],
  ['EPROTO', 'TLS_FAILED', /^no encrypted connection/],
  ['HTTP_PARSER_ERROR', 'NOT_HTTP', /^what answers at shop\.example on port 443 is no web server$/],
  ['UND_ERR_HEADERS_OVERFLOW', 'NOT_HTTP', /head too large/],
];

test('every way in which a server can not be reached has words with its name, a remedy, and no code of a machine', () => {
  for (const [code, name, words] of KINDS) {
    const told = at(code);
    assert.equal(told.code, name, code);
    assert.match(told.words, words, code);
    assert.match(told.remedy, /^[A-Z].*\.$/, code);
    assert.doesNotMatch(`${told.words} ${told.remedy}`, /[A-Z]{2,}_[A-Z]|\bE[A-Z]{6,}/, code);
  }
  assert.equal(explainUnreachable('woocommerce_rest_cannot_view', 'https://shop.example'), null);
  assert.equal(explainUnreachable('', 'https://shop.example'), null);
});

test('a port that was typed is told, and asked about', () => {
  assert.match(at('ECONNREFUSED', 'https://shop.example:8443').words, /shop\.example on port 8443$/);
  assert.match(at('ECONNREFUSED', 'https://shop.example:8443').remedy, /behind its colon/);
  assert.doesNotMatch(at('ECONNREFUSED').remedy, /colon/);
  assert.match(at('ECONNREFUSED', 'http://localhost').words, /localhost on port 80$/);
  assert.match(at('ECONNRESET', 'http://localhost:1').remedy, /https:\/\//, 'it may be encryption that it wants');
});

test('the reason of a run that failed is told in these words too, and the raw code stays beside them', () => {
  const state = { url: 'https://shop.example/wp-json/wc/v3/products', timeoutMs: 30_000, isSent: false };
  const none = { isTimedOut: false, isAborted: false };
  const refused = toTransportError(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), { ...state, ...none });
  assert.equal(refused.message, 'nothing answers at shop.example on port 443');
  assert.equal(refused.code, 'ECONNREFUSED');
  const silent = toTransportError(new Error('x'), { ...state, ...none, isTimedOut: true });
  assert.match(silent.message, /within 30 s$/);
});

test('an answer that is no HTTP is known by the parser that gave up on it', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('SSH-2.0-OpenSSH_9.6\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const wire = createUndiciTransport({ allowLocal: true });
  try {
    const request = { method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {}, timeoutMs: 2_000 };
    await assert.rejects(wire.transport(request), {
      code: 'HTTP_PARSER_ERROR',
      message: `what answers at 127.0.0.1 on port ${port} is no web server`,
    });
  } finally {
    await wire.close();
    server.close();
  }
});
