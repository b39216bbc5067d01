import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import Fastify from 'fastify';
import type { Server } from '../http/types.ts';
import { listen } from './listen.ts';

const CONNECTIONS = 1_000;
const SOMAXCONN = '/proc/sys/net/core/somaxconn';
const queueMax = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 0;

/** Opens the connections, and puts into the shared cell how many were completed once all are or time is up. */
const CONNECTOR = `
  const { connect } = require('node:net');
  const { workerData: { port, count, cell } } = require('node:worker_threads');
  const done = new Int32Array(cell);
  let connected = 0;
  const tell = () => { if (Atomics.compareExchange(done, 0, 0, Math.max(connected, 1)) === 0) Atomics.notify(done, 0); };
  const timer = setTimeout(tell, 10_000);
  for (let i = 0; i < count; i += 1) {
    connect(port, '127.0.0.1').on('error', () => {}).on('connect', () => {
      connected += 1;
      if (connected === count) { clearTimeout(timer); tell(); }
    });
  }
`;

test('a busy moment turns no webhook away: the system completes a thousand connections meanwhile', {
  skip: queueMax < CONNECTIONS && `this system completes ${queueMax} at most`,
}, async () => {
  const server = Fastify() as unknown as Server;
  await listen(server, { host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const cell = new SharedArrayBuffer(4);
  const worker = new Worker(CONNECTOR, { eval: true, workerData: { port, count: CONNECTIONS, cell } });
  // Nothing is accepted as long as this thread waits.
  Atomics.wait(new Int32Array(cell), 0, 0, 30_000);
  const connected = Atomics.load(new Int32Array(cell), 0);
  await worker.terminate();
  await server.close();
  assert.equal(connected, CONNECTIONS);
});

test('a port in use is said in words, with what to do', async () => {
  const first = Fastify() as unknown as Server;
  await listen(first, { host: '127.0.0.1', port: 0 });
  const { port } = first.server.address() as AddressInfo;
  const second = Fastify() as unknown as Server;
  await assert.rejects(listen(second, { host: '127.0.0.1', port }), {
    message: `Port ${port} on 127.0.0.1 is in use.`,
  });
  await second.close();
  await first.close();
});
