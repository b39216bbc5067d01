import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pause } from './api.ts';
import { percentile } from './numbers.ts';
import { createWebhookSender } from './webhook-sender.ts';
import type { Workshop } from './workshop.ts';

const BODY_BYTES = 3_700;

/**
 * Webhook to write of a bare durable relay on this machine at this moment, ms: what any server that stores before it answers has to
 * pay, disk and scheduler included. Our own time is read against it.
 */
export async function measureRelay(
  workshop: Workshop,
  perSecond: number,
  seconds: number,
): Promise<{ readonly p50: number; readonly p99: number }> {
  const arrivals = new Map<string, number>();
  const target = createServer((incoming, answer) => {
    const at = performance.now();
    incoming.once('data', (piece: Buffer) => arrivals.set(piece.toString('latin1', 0, 12), at));
    incoming.on('end', () => answer.end());
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const child = spawn(process.execPath, [workshop.relay, join(workshop.dir, 'relay.db'), targetUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const sender = createWebhookSender(Number(port));
  try {
    const sent = new Map<string, number>();
    const startedAt = performance.now();
    for (let n = 0; n < perSecond * seconds; n += 1) {
      await pause(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()));
      const mark = String(n).padStart(12, '0');
      const head = `POST / HTTP/1.1\r\nhost: relay\r\ncontent-length: ${BODY_BYTES}\r\n\r\n`;
      sender.send(Buffer.from(head + mark.padEnd(BODY_BYTES, '.'))).catch(() => undefined);
      sent.set(mark, performance.now());
    }
    await pause(1_000);
    const times = [...sent].flatMap(([mark, at]) => {
      const arrivedAt = arrivals.get(mark);
      return arrivedAt === undefined ? [] : [arrivedAt - at];
    });
    if (times.length < sent.size) throw new Error(`the relay lost ${sent.size - times.length} of ${sent.size}`);
    // The first second warms it up.
    const counted = times.slice(perSecond);
    return { p50: percentile(counted, 0.5), p99: percentile(counted, 0.99) };
  } finally {
    sender.close();
    child.kill();
    target.close();
    target.closeAllConnections();
  }
}
