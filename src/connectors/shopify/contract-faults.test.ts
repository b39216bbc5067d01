import {
  type ContractHarness,
  type FaultPlacement,
  type InjectedFault,
  unavailable,
} from '../../testing/contract/harness.ts';
import type { DownloadTransport, Transport } from '../shared/transport.ts';
import { type HttpRequest, type HttpResponse, TransportError } from '../shared/transport.ts';

export interface Line {
  readonly transport: Transport;
  readonly download: DownloadTransport;
  sleep(ms: number): Promise<void>;
  /** How often the shop itself refused us for being too fast; null where it can't be told. */
  throttled(): number | null;
}

/** Faults sit between the connector and the shop, so that a timeout takes no real time and the shop itself stays whole. */
export function createFaults(shop: Line) {
  let armed: { fault: InjectedFault; placement: FaultPlacement; left: number; skip: number } | null = null;
  let fired = 0;
  const counts = { read: 0, write: 0 };

  function strike(kind: 'read' | 'write'): InjectedFault | null {
    if (armed === null || (armed.placement.on !== 'any' && armed.placement.on !== kind)) return null;
    if (armed.skip > 0) {
      armed.skip -= 1;
      return null;
    }
    if (armed.left <= 0) return null;
    armed.left -= 1;
    fired += 1;
    return armed.fault;
  }

  // Starting a listing is a mutation by name only: it changes nothing in the shop.
  const kindOf = ({ body }: HttpRequest): 'read' | 'write' =>
    /"query":"mutation (?!BulkRunQuery)/.test(String(body ?? '')) ? 'write' : 'read';

  async function transport(request: HttpRequest): Promise<HttpResponse> {
    if (request.signal?.aborted) throw new TransportError('before_send', 'aborted', 'cancelled');
    const kind = kindOf(request);
    const fault = strike(kind);
    // What is lost afterwards counts when it is there: a socket that is being opened has sent nothing yet, and who gives up by then is told so.
    if (fault !== null && 'when' in fault && fault.when === 'after') await shop.transport(request);
    counts[kind] += 1;
    if (fault === null) return await shop.transport(request);
    return await answerOf(fault, request);
  }

  async function answerOf(fault: InjectedFault, request: HttpRequest): Promise<HttpResponse> {
    const text = (body: string) => new TextEncoder().encode(body);
    switch (fault.type) {
      case 'rate_limited':
        return { status: 429, headers: { 'retry-after': (fault.retryAfterMs / 1000).toFixed(1) }, body: text('{}') };
      case 'server_error':
        return { status: 502, headers: {}, body: text('<html>Bad gateway</html>') };
      case 'malformed':
        return { status: 200, headers: { 'content-type': 'text/html' }, body: text('<html>Welcome</html>') };
      case 'html_404':
        return { status: 404, headers: { 'content-type': 'text/html' }, body: text('<html>Not found</html>') };
      case 'connection_lost':
        throw new TransportError('after_send', 'connection_lost', 'connection lost');
      case 'timeout':
        await shop.sleep(Math.min(request.timeoutMs, 5_000));
        throw new TransportError('after_send', 'timeout', 'no answer');
    }
  }

  return {
    transport,
    async download(request: HttpRequest) {
      counts.read += 1;
      const fault = strike('read');
      if (fault !== null) return { ...(await answerOf(fault, request)), chunks: none() };
      const download = await shop.download(request);
      async function* chunks() {
        for await (const chunk of download.chunks)
          for (const line of linesOf(chunk)) {
            // A store that fails while a file is on its way cuts it.
            if (armed !== null && strike('read') !== null)
              throw new TransportError('after_send', 'connection_lost', 'cut');
            yield line;
          }
      }
      return { ...download, chunks: chunks() };
    },
    controls: {
      supported: ['rate_limited', 'server_error', 'timeout', 'connection_lost', 'malformed', 'html_404'],
      inject(fault: InjectedFault, placement: FaultPlacement) {
        armed = { fault, placement, left: placement.times ?? 1, skip: placement.skip ?? 0 };
      },
      shutSku: unavailable('shut_skus'),
      clear() {
        armed = null;
      },
      firedCount: () => fired,
      requestCount: (kind: 'read' | 'write') => counts[kind],
      ownThrottleCount: () => shop.throttled(),
    } satisfies ContractHarness['faults'],
  };
}

/** A line at a time, as a slow network would: a socket may give a small file at once, and nothing could come in between. */
function* linesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < chunk.byteLength; ) {
    const end = chunk.indexOf(10, from);
    const to = end < 0 ? chunk.byteLength : end + 1;
    yield chunk.subarray(from, to);
    from = to;
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}
