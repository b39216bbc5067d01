import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, deflateRawSync, gzipSync } from 'node:zlib';
import { type HttpRequest, TransportError } from './transport.ts';
import { createUndiciTransport, type ExchangeTiming } from './undici-transport.ts';

const closers: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closers.reverse()) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(options: Parameters<typeof createUndiciTransport>[0] = { allowLocal: true }) {
  const made = createUndiciTransport(options);
  closers.push(() => made.close());
  return made;
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  timeoutMs: 2_000,
  ...more,
});

async function failing(work: Promise<unknown>): Promise<TransportError> {
  const error = await work.then(
    () => assert.fail('expected a failure'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TransportError, String(error));
  return error;
}

test('sends, receives, decompresses, and times the exchange', async () => {
  const url = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      response.writeHead(201, { 'content-encoding': 'gzip', 'set-cookie': ['a=1', 'b=2'], 'X-Mixed': 'Yes' });
      response.end(gzipSync(JSON.stringify({ method: request.method, body })));
    });
  });
  const timings: ExchangeTiming[] = [];
  const { transport } = open({ allowLocal: true, onTiming: (timing) => timings.push(timing) });
  const response = await transport(get(`${url}/x?consumer_secret=cs_1`, { method: 'POST', body: 'hé' }));
  assert.equal(response.status, 201);
  assert.equal(response.headers['x-mixed'], 'Yes');
  assert.equal(response.headers['set-cookie'], 'a=1, b=2');
  assert.deepEqual(JSON.parse(Buffer.from(response.body).toString()), { method: 'POST', body: 'hé' });
  const [timing] = timings;
  assert.ok(
    timing &&
      timing.requestWrittenAt > 0 &&
      timing.firstByteAt >= timing.requestWrittenAt &&
      timing.endAt >= timing.firstByteAt,
  );
  assert.equal(timing.url, `${url}/x`);
});

test('answers whose label does not say how they are packed are understood all the same, and what is none is no answer', async () => {
  const text = '{"id":1,"name":"Café"}';
  const packed: Readonly<Record<string, readonly [encoding: string | null, body: Buffer]>> = {
    'labelled gzip, and plain': ['gzip', Buffer.from(text)],
    'labelled br, and plain': ['br', Buffer.from(`\ufeff\n${text}`)],
    'labelled deflate, and plain': ['deflate', Buffer.from(text)],
    'packed, without a label': [null, gzipSync(text)],
    'packed, labelled plain': ['identity', gzipSync(text)],
    'deflate without its head': ['deflate', deflateRawSync(text)],
    'by its old name': ['x-gzip', gzipSync(text)],
    twice: ['gzip, br', brotliCompressSync(gzipSync(text))],
    'twice, and told once': ['gzip', gzipSync(gzipSync(text))],
  };
  const url = await serve((request, response) => {
    const [encoding = null, body = ''] = packed[decodeURIComponent(request.url?.slice(1) ?? '')] ?? [];
    response.writeHead(200, encoding === null ? {} : { 'content-encoding': encoding }).end(body);
  });
  for (const name of Object.keys(packed)) {
    const { body } = await open().transport(get(`${url}/${encodeURIComponent(name)}`));
    assert.deepEqual(
      JSON.parse(
        Buffer.from(body)
          .toString()
          .replace(/^\ufeff/, ''),
      ),
      JSON.parse(text),
      name,
    );
  }
  const cut = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text).subarray(0, 20));
  });
  const { failure, phase } = await failing(open().transport(get(cut)));
  assert.deepEqual([failure, phase], ['connection_lost', 'after_send']);
});

test('what is packed by brotli and happens to begin as gzip does is no gzip', async () => {
  // Each of 140 bytes, or of a multiple of 256 more, with the widest window that servers can be set to.
  const text = JSON.stringify('x'.repeat(138));
  const body = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
  assert.deepEqual([...body.subarray(0, 2)], [0x1f, 0x8b]);
  const url = await serve((_request, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(body));
  assert.equal(Buffer.from((await open().transport(get(url))).body).toString(), text);
});

test('a redirect is an answer, not followed', async () => {
  let hits = 0;
  const url = await serve((_request, response) => {
    hits += 1;
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
  });
  const response = await open().transport(get(url));
  assert.equal(response.status, 302);
  assert.equal(hits, 1);
});

test('an answer that is too large is refused, compressed ones by their full size', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/zip')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)));
    else response.end(Buffer.alloc(200_000));
  });
  for (const path of ['/plain', '/zip']) {
    const error = await failing(open().transport(get(`${url}${path}`, { maxBytes: 100_000 })));
    assert.equal(error.failure, 'too_large');
    assert.equal(error.phase, 'after_send');
  }
});

test('a refused connection, an unknown host: nothing was sent', async () => {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const refused = await failing(open().transport(get(`http://127.0.0.1:${port}/`)));
  assert.deepEqual([refused.phase, refused.failure, refused.code], ['before_send', 'refused', 'ECONNREFUSED']);
  const lookup = ((_host: string, _options: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))) as never;
  const unknown = await failing(open({ lookup }).transport(get('https://no-such-shop.example/')));
  assert.deepEqual([unknown.phase, unknown.failure], ['before_send', 'dns']);
});

test('a connection lost, a silence and an abort after sending may have had an effect', async () => {
  const abort = new AbortController();
  const url = await serve((request, response) => {
    if (request.url === '/abort') abort.abort();
    if (request.url === '/drop') request.socket.destroy();
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setTimeout(() => request.socket.destroy(), 20);
    }
  });
  const { transport } = open();
  const dropped = await failing(transport(get(`${url}/drop`)));
  assert.deepEqual([dropped.phase, dropped.failure], ['after_send', 'connection_lost']);
  const cut = await failing(transport(get(`${url}/cut`)));
  assert.deepEqual([cut.phase, cut.failure], ['after_send', 'connection_lost']);
  // Long enough for a busy machine to have sent it.
  const silent = await failing(transport(get(`${url}/hang`, { timeoutMs: 1_000 })));
  assert.deepEqual([silent.phase, silent.failure], ['after_send', 'timeout']);
  const aborted = await failing(transport(get(`${url}/abort`, { signal: abort.signal })));
  assert.deepEqual([aborted.phase, aborted.failure], ['after_send', 'aborted']);
  const early = await failing(transport(get(`${url}/hang`, { signal: AbortSignal.abort() })));
  assert.deepEqual([early.phase, early.failure], ['before_send', 'aborted']);
});

test('a connection that opens too slowly sent nothing', async () => {
  const lookup = (() => {}) as never;
  const error = await failing(open({ lookup }).transport(get('https://slow.example/', { timeoutMs: 100 })));
  assert.deepEqual([error.phase, error.failure], ['before_send', 'timeout']);
});

test('the guard refuses before anything is sent, names included, and pins what it checked', async () => {
  let lookups = 0;
  const answering = (addresses: string[]) =>
    ((_host: string, _options: unknown, done: (error: null, list: unknown) => void) => {
      lookups += 1;
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    }) as never;
  for (const addresses of [['127.0.0.1'], ['10.0.0.7'], ['::ffff:169.254.169.254'], ['8.8.8.8', '127.0.0.1'], []]) {
    lookups = 0;
    const error = await failing(open({ lookup: answering(addresses) }).transport(get('https://rebind.example/')));
    const told = [error.phase, error.failure, error.code];
    assert.deepEqual(told, ['before_send', 'blocked', 'ADDRESS_REFUSED'], addresses.join());
    assert.equal(lookups, 1);
  }
  for (const url of [
    'http://shop.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://a:b@shop.example/',
    'nonsense',
    'http://127.0.0.1/',
  ]) {
    assert.equal((await failing(open({}).transport(get(url)))).failure, 'blocked', url);
  }
});

test('allowLocal: plain http to loopback only; a trusted origin: anything', async () => {
  const url = await serve((_request, response) => response.end('ok'));
  const { port } = new URL(url);
  const lookup = ((_host: string, _options: unknown, done: (error: null, list: unknown) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])) as never;
  assert.equal((await open({ allowLocal: true, lookup }).transport(get(`http://shop.lan:${port}/`))).status, 200);
  assert.equal((await failing(open({ allowLocal: true }).transport(get('http://192.168.1.5/')))).failure, 'blocked');
  assert.equal((await failing(open({ allowLocal: true }).transport(get('http://8.8.8.8/')))).failure, 'blocked');
  const trusted = open({ trustedOrigins: new Set([url]) });
  assert.equal((await trusted.transport(get(`${url}/any`))).status, 200);
  assert.equal((await failing(trusted.transport(get(`http://127.0.0.1:${Number(port) + 1}/`)))).failure, 'blocked');
});

test('a download is handed out piece by piece and may be left early', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/short') {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write(Buffer.alloc(1_000));
      setTimeout(() => request.socket.destroy(), 20);
      return;
    }
    for (let n = 0; n < 50; n += 1) response.write(Buffer.alloc(10_000, n));
    response.end();
  });
  const { download } = open();
  let size = 0;
  const whole = await download(get(`${url}/file`));
  for await (const chunk of whole.chunks) size += chunk.byteLength;
  assert.equal(size, 500_000);
  for await (const chunk of (await download(get(`${url}/file`))).chunks) {
    assert.ok(chunk.byteLength > 0);
    break;
  }
  const cut = await download(get(`${url}/short`));
  const error = await failing(
    (async () => {
      for await (const _chunk of cut.chunks);
    })(),
  );
  assert.equal(error.failure, 'connection_lost');
  const capped = await download(get(`${url}/file`, { maxBytes: 20_000 }));
  const large = await failing(
    (async () => {
      for await (const _chunk of capped.chunks);
    })(),
  );
  assert.equal(large.failure, 'too_large');
});

test('the silence that ends a download is the server’s: our own work between two pieces may take longer', async () => {
  const url = await serve((request, response) => {
    for (let n = 0; n < 200; n += 1) response.write(Buffer.alloc(10_000, n));
    if (request.url === '/file') response.end();
  });
  const { download } = open();
  let size = 0;
  let seen = 0;
  const read = async (path: string) => {
    for await (const chunk of (await download(get(`${url}/${path}`, { timeoutMs: 200 }))).chunks) {
      seen += 1;
      if (seen === 1 || seen === 3) await sleep(400);
      size += chunk.byteLength;
    }
  };
  await read('file');
  assert.equal(size, 2_000_000);
  [size, seen] = [0, 0];
  assert.equal((await failing(read('silent'))).failure, 'timeout');
  assert.equal(size, 2_000_000);
});

test('sockets are kept alive', async () => {
  const sockets = new Set<unknown>();
  const url = await serve((request, response) => {
    sockets.add(request.socket);
    response.end('ok');
  });
  const { transport } = open();
  for (let n = 0; n < 20; n += 1) await transport(get(url));
  assert.ok(sockets.size <= 2, String(sockets.size));
});
