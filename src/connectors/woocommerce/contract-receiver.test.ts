import { createServer } from 'node:http';
import type { RawDelivery } from '../../ports/connector.ts';
import { isPing } from './webhook.ts';

/** Action Scheduler runs at most once a minute, when somebody visits the site. */
const QUEUE_WAIT_MAX_MS = 75_000;
const VISIT_EVERY_MS = 1_000;
/** What one run of the queue posts comes without a longer pause. */
const QUIET_MS = 5_000;

export interface Receiver {
  /** Waits for what the shop has to tell, and gives it, oldest first; without the greetings of new webhooks. */
  take(): Promise<readonly RawDelivery[]>;
  close(): Promise<void>;
}

/** Takes what a real shop posts to `address`, which is one of this machine. `visit` is what makes the shop work off its queue. */
export async function receiveDeliveries(address: string, visit: () => Promise<void>): Promise<Receiver> {
  let arrived: RawDelivery[] = [];
  let lastAt = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    arrived.push({ headers, body: new Uint8Array(Buffer.concat(chunks)) });
    lastAt = Date.now();
    response.end();
  });
  const { hostname, port } = new URL(address);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), hostname, resolve);
  });
  return {
    async take() {
      const until = Date.now() + QUEUE_WAIT_MAX_MS;
      while (Date.now() < until && (arrived.length === 0 || Date.now() - lastAt < QUIET_MS)) {
        await visit();
        await new Promise((resolve) => setTimeout(resolve, VISIT_EVERY_MS));
      }
      const taken = arrived;
      arrived = [];
      return taken.filter(({ headers, body }) => !isPing(headers, body));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
