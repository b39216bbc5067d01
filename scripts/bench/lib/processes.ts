import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { MemoryLimit } from './memory-limit.ts';

export interface Program {
  readonly pid: number;
  /** Highest resident memory so far (VmHWM), MB. */
  peakMb(): number;
  /** Resident memory now, MB. */
  residentMb(): number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface Server extends Program {
  readonly url: string;
  /** From the start of the process to the first 200 of `/api/health`. */
  readonly readyMs: number;
}

export interface Store extends Program {
  /** What it printed when it listened: addresses and keys. */
  readonly info: Readonly<Record<string, string>>;
  /** One of the sandbox's controls: `placeOrder`, `recount`, `listShelf`, ... */
  control<T = unknown>(name: string, ...args: readonly unknown[]): Promise<T>;
  stats<T>(): Promise<T>;
}

/** As in `scripts/start.mjs`. */
const SERVER_FLAGS = ['--max-old-space-size=128', '--max-semi-space-size=2', '--heap-growing-percent=50'];
const READY_WITHIN_MS = 30_000;

export interface ServerOptions {
  readonly program: string;
  readonly dataDir: string;
  readonly port: number;
  readonly limit?: MemoryLimit | null;
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function startServer(options: ServerOptions): Promise<Server> {
  mkdirSync(options.dataDir, { recursive: true });
  const log = openSync(`${options.dataDir}.log`, 'a');
  const startedAt = performance.now();
  const args = [...SERVER_FLAGS, ...(options.nodeFlags ?? []), options.program];
  const enter = options.limit ? ['sh', '-c', `echo $$ > ${options.limit.procsFile}; exec "$0" "$@"`] : [];
  const [command = process.execPath, ...rest] = [...enter, process.execPath, ...args];
  const child = spawn(command, rest, {
    cwd: dirname(options.program),
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env['PATH'],
      MALLOC_ARENA_MAX: '2',
      PORT: String(options.port),
      DATA_DIR: options.dataDir,
      DEMO: 'off',
      ALLOW_LOCAL_STORES: 'on',
      LOG_LEVEL: 'warn',
      ...options.env,
    },
  });
  closeSync(log);
  const url = `http://127.0.0.1:${options.port}`;
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the server ended by itself: see ${options.dataDir}.log`);
    if (performance.now() - startedAt > READY_WITHIN_MS) throw new Error('the server did not get ready');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { ...programOf(child), url, readyMs: performance.now() - startedAt };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/api/health`);
    await reply.arrayBuffer();
    return reply.status === 200;
  } catch {
    return false;
  }
}

export async function startStore(program: string, args: readonly string[]): Promise<Store> {
  const child = spawn(process.execPath, ['--max-semi-space-size=16', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const info = JSON.parse(line) as Record<string, string>;
  const base = `${info['origin']}/__sandbox`;
  const read = async (reply: Response): Promise<unknown> => {
    if (!reply.ok) throw new Error(`the sandbox refused: ${await reply.text()}`);
    return reply.json();
  };
  return {
    ...programOf(child),
    info,
    async control<T>(name: string, ...given: readonly unknown[]) {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(given),
      };
      return ((await read(await fetch(`${base}/${name}`, init))) as { result: T }).result;
    },
    stats: async <T>() => (await read(await fetch(`${base}/stats`))) as T,
  };
}

function programOf(child: ChildProcess): Program {
  const pid = child.pid ?? 0;
  let lastPeak = 0;
  const field = (name: string): number => {
    try {
      const text = readFileSync(`/proc/${pid}/status`, 'utf8');
      return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) / 1024);
    } catch {
      return 0;
    }
  };
  return {
    pid,
    peakMb() {
      lastPeak = Math.max(lastPeak, field('VmHWM'));
      return lastPeak;
    },
    residentMb: () => field('VmRSS'),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      const cut = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(cut);
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
