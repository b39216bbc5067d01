import type { FaultPlacement, InjectedFault } from '../../testing/contract/harness.ts';
import { type HttpResponse, type Transport, TransportError } from '../shared/transport.ts';

/** Faults at the wire, as a proxy or a bad line makes them: the connector can't tell them from the real ones. */
export class FaultyWire {
  firedCount = 0;
  readonly requestCounts = { read: 0, write: 0 };
  readonly urls: string[] = [];
  /** Parts of a search for which a firewall before the store turns it away. */
  readonly shutSkus = new Set<string>();
  #script: { readonly fault: InjectedFault; readonly on: FaultPlacement['on']; times: number; skip: number }[] = [];
  readonly #store: Transport;
  /** What a request that is never answered waits for. */
  readonly #patience: (ms: number) => Promise<void>;
  readonly #storeNow: () => number;

  constructor(store: Transport, patience: (ms: number) => Promise<void>, storeNow: () => number) {
    this.#store = store;
    this.#patience = patience;
    this.#storeNow = storeNow;
  }

  inject(fault: InjectedFault, { on, times = 1, skip = 0 }: FaultPlacement): void {
    this.#script.push({ fault, on, times, skip });
  }

  /** Gives the wait that was still being asked for, ms. */
  clear(): number {
    const limits = this.#script.map(({ fault }) => (fault.type === 'rate_limited' ? fault.retryAfterMs : 0));
    this.#script = [];
    return Math.max(0, ...limits);
  }

  readonly transport: Transport = async (request) => {
    if (request.signal?.aborted) throw new TransportError('before_send', 'aborted', 'cancelled');
    // A batch of nothing can't change the store: it is how the doctor asks for permission.
    const isWrite = request.method !== 'GET' && request.body !== '{}';
    const fault = this.#next(isWrite);
    // What is lost afterwards counts when it is there: a socket that is being opened has sent nothing yet, and who gives up by then is told so.
    if (fault && 'when' in fault && fault.when === 'after') await this.#store(request);
    this.requestCounts[isWrite ? 'write' : 'read'] += 1;
    this.urls.push(request.url);
    const asked = new URL(request.url).searchParams.get('sku')?.toLowerCase() ?? '';
    if ([...this.shutSkus].some((sku) => asked.includes(sku))) return this.#page(403, 'Forbidden');
    switch (fault?.type) {
      case undefined:
        return this.#store(request);
      case 'rate_limited':
        return this.#page(429, 'Too Many Requests', { 'retry-after': String(fault.retryAfterMs / 1000) });
      case 'server_error':
        return this.#page(500, 'Server error');
      case 'malformed':
        return this.#page(200, 'Just a moment...');
      case 'html_404':
        return this.#page(404, 'Not found');
      case 'timeout':
        await this.#patience(request.timeoutMs);
        throw new TransportError('after_send', 'timeout', 'no answer in time');
      case 'connection_lost':
        throw new TransportError('after_send', 'connection_lost', 'connection lost');
    }
  };

  #next(isWrite: boolean): InjectedFault | null {
    const entry = this.#script.find(({ on, times }) => times > 0 && (on === 'any' || (on === 'write') === isWrite));
    if (!entry) return null;
    if (entry.skip > 0) {
      entry.skip -= 1;
      return null;
    }
    entry.times -= 1;
    this.firedCount += 1;
    return entry.fault;
  }

  #page(status: number, words: string, headers: Record<string, string> = {}): HttpResponse {
    const body = new TextEncoder().encode(`<!DOCTYPE html><html><body><h1>${words}</h1></body></html>`);
    return { status, headers: { 'content-type': 'text/html', date: this.#date(), ...headers }, body };
  }

  #date(): string {
    return new Date(this.#storeNow()).toUTCString();
  }
}
