import {
  type DownloadTransport,
  type HttpRequest,
  type HttpResponse,
  type Transport,
  TransportError,
} from '../../../connectors/shared/transport.ts';
import type { Side } from '../../../model/platform.ts';
import type { ProcessClock } from '../../simulator/process-clock.ts';
import type { SeededRandom } from '../../simulator/random.ts';
import type { DepthClock } from './depth-clock.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One store at the other end. */
export interface Host {
  readonly side: Side;
  inject(request: HttpRequest): Promise<Answer>;
}

/** Looks over the shoulder of every request: before it reaches the store, and when its answer left the store. */
export interface Witness {
  sent(side: Side, request: HttpRequest): unknown;
  /** At the store's door, at the instant of landing. */
  arrived(side: Side, request: HttpRequest, note: unknown): unknown;
  /** The store is through with it. `answer` null: it gave none. */
  done(side: Side, request: HttpRequest, note: unknown, answer: Answer | null): void;
}

export interface WireOptions {
  readonly clock: DepthClock;
  readonly random: SeededRandom;
  /** By host name, as in the address. */
  readonly hosts: ReadonlyMap<string, Host>;
  readonly witness?: Witness;
  /** What becomes of the next request. */
  fate(side: Side): RequestFate;
}

/** `lands_late`: after we stopped waiting for it. `answer_lost`: it was carried out in time, and we never hear of it. */
export type RequestFate = 'passes' | 'never_lands' | 'answer_lost' | 'lands_late';

const NEVER = new Promise<never>(() => undefined);
/** Longest that a request is on its way each way, ms. */
const LATENCY_MAX_MS = 80;
/** What lands late lands within this after our timeout: well inside of every fence. */
const LATE_MAX_MS = 40_000;

/**
 * The network between one life of our process and the stores: requests take time, each store answers one at a time, an answer may come
 * too late, and what was sent lands although the sender died meanwhile.
 */
export function createWire(options: WireOptions, process: Pick<ProcessClock, 'isAlive'>) {
  const { clock, random, hosts, witness } = options;

  async function exchange(request: HttpRequest): Promise<Answer> {
    if (!process.isAlive()) return NEVER;
    if (request.signal?.aborted === true) throw new TransportError('before_send', 'aborted', 'cancelled');
    const host = hosts.get(new URL(request.url).host);
    if (host === undefined)
      throw new TransportError('before_send', 'dns', `no server for ${new URL(request.url).host}`, 'ENOTFOUND');
    const note = witness?.sent(host.side, request);
    const fate = options.fate(host.side);
    const lateMs = fate === 'lands_late' ? request.timeoutMs + random.int(LATE_MAX_MS) : 0;
    const landing =
      fate === 'never_lands'
        ? NEVER
        : clock.sleep(1 + random.int(LATENCY_MAX_MS) + lateMs).then(() => land(host, request, note));
    const answer = await deadline(fate === 'answer_lost' ? landing.then(() => NEVER) : landing, request);
    await clock.sleep(1 + random.int(LATENCY_MAX_MS));
    return process.isAlive() ? answer : NEVER;
  }

  async function land(host: Host, request: HttpRequest, sent: unknown): Promise<Answer> {
    const note = witness?.arrived(host.side, request, sent);
    try {
      const answer = await clock.request(() => host.inject(request));
      witness?.done(host.side, request, note, answer);
      return answer;
    } catch {
      witness?.done(host.side, request, note, null);
      throw new TransportError('after_send', 'connection_lost', 'connection lost');
    }
  }

  /** Our own patience, and our own change of mind. */
  async function deadline(landing: Promise<Answer>, { timeoutMs, signal }: HttpRequest): Promise<Answer> {
    landing.catch(() => undefined);
    const waiting = new AbortController();
    const abort = () => waiting.abort(new TransportError('after_send', 'aborted', 'cancelled'));
    signal?.addEventListener('abort', abort, { once: true });
    const timeout = clock.sleep(timeoutMs, waiting.signal).then(() => {
      throw new TransportError('after_send', 'timeout', `no answer within ${timeoutMs} ms`);
    });
    try {
      return await Promise.race([landing, timeout]);
    } catch (error) {
      return process.isAlive() ? Promise.reject(error) : NEVER;
    } finally {
      timeout.catch(() => undefined);
      waiting.abort();
      signal?.removeEventListener('abort', abort);
    }
  }

  const transport: Transport = async (request) => (await exchange(request)) satisfies HttpResponse;
  const download: DownloadTransport = async (request) => {
    const { status, headers, body } = await exchange(request);
    async function* chunks() {
      yield body as Uint8Array;
    }
    return { status, headers, chunks: chunks() };
  };
  return { transport, download };
}
