import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** One outgoing POST of the store: a webhook delivery or a ping. */
export interface Delivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `deliver` rejects when the answer takes longer, or when `signal` says that the store is closing. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What the sandbox needs from the world. A simulator passes a virtual clock and an in-process `deliver`. */
export interface Environment {
  now(): number;
  setTimer(run: () => void, ms: number): unknown;
  clearTimer(handle: unknown): void;
  /** Rejects when the target cannot be reached. Redirects are answers, they are not followed. */
  deliver(delivery: Delivery): Promise<{ readonly status: number }>;
  random(): number;
}

export const realEnvironment: Environment = {
  now: () => Date.now(),
  setTimer: (run, ms) => setTimeout(run, ms),
  clearTimer: (handle) => clearTimeout(handle as NodeJS.Timeout),
  deliver: deliverOverHttp,
  random: () => Math.random(),
};

function deliverOverHttp(delivery: Delivery): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const send = delivery.url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(
      delivery.url,
      {
        method: 'POST',
        agent: false,
        // On this machine the server's certificate bears the name that the world calls it by.
        rejectUnauthorized: new URL(delivery.url).hostname !== '127.0.0.1',
        signal: delivery.signal,
        headers: { ...delivery.headers, 'Content-Length': Buffer.byteLength(delivery.body) },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve({ status: response.statusCode ?? 0 }));
        response.on('error', reject);
      },
    );
    request.setTimeout(delivery.timeoutMs, () => request.destroy(new Error('timed out')));
    request.on('error', reject);
    request.end(delivery.body);
  });
}
