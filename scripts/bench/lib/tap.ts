import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One request and its answer as they passed by, by this process's `performance.now()`. */
export interface Exchange {
  readonly startedAt: number;
  /** Last byte of the answer so far; Infinity: there is none. */
  endedAt: number;
  /** Start line, headers and body of the request. */
  request: string;
}

/** A plain TCP proxy in front of a store: says when bytes passed, and can take the store off the net. */
export interface Tap {
  readonly port: number;
  readonly exchanges: Exchange[];
  /** Pieces of requests that passed since the beginning. */
  readonly passed: number;
  /** Whether exchanges are kept; off at first. */
  isRecording: boolean;
  /** Every connection breaks and no new one is accepted. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

const REQUEST_CHARS_MAX = 200_000;

export async function openTap(targetPort: number): Promise<Tap> {
  const sockets = new Set<Socket>();
  const exchanges: Exchange[] = [];
  let passed = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const store = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    let open: Exchange | null = null;
    let isAnswering = true;
    join(client, store, sockets);
    client.on('data', (chunk) => {
      passed += 1;
      if (tap.isRecording) {
        // Requests of one connection follow each other: bytes after an answer begin the next one.
        if (open === null || isAnswering) {
          open = { startedAt: performance.now(), endedAt: Number.POSITIVE_INFINITY, request: '' };
          exchanges.push(open);
        }
        if (open.request.length < REQUEST_CHARS_MAX) open.request += chunk.toString('latin1');
      }
      isAnswering = false;
      store.write(chunk);
    });
    store.on('data', (chunk) => {
      client.write(chunk);
      isAnswering = true;
      if (open !== null) open.endedAt = performance.now();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const shut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const tap: Tap = {
    port,
    exchanges,
    isRecording: false,
    get passed() {
      return passed;
    },
    down: shut,
    async up() {
      if (server.listening) return;
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    close: shut,
  };
  return tap;
}

function join(client: Socket, store: Socket, sockets: Set<Socket>): void {
  const end = (): void => {
    client.destroy();
    store.destroy();
  };
  for (const socket of [client, store]) {
    sockets.add(socket);
    socket.on('error', end);
    socket.on('end', end);
    socket.on('close', () => {
      sockets.delete(socket);
      end();
    });
  }
}
