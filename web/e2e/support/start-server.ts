import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 100;

export interface RunningServer {
  readonly url: string;
  /** Ends the process and removes its data. */
  readonly stop: () => Promise<void>;
}

/** Below those that systems give out by themselves: until the server takes it, nobody else gets it. */
const [PORT_MIN, PORT_MAX] = [20_000, 32_000];

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (isFree) return port;
  }
}

async function waitUntilReady(url: string, server: ChildProcess, log: () => string): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until) {
    if (server.exitCode !== null) throw new Error(`The server ended while starting:\n${log()}`);
    const isReady = await fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`The server was not ready in ${READY_WITHIN_MS} ms:\n${log()}`);
}

/** Starts the built server on a free port with a data directory of its own. Build first. */
export async function startServer(env: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  const program = join(ROOT, 'dist/server.mjs');
  if (!existsSync(program)) throw new Error('There is no dist/server.mjs: run "npm run build" first.');
  const dataDir = await mkdtemp(join(tmpdir(), 'twinshelf-e2e-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let output = '';
  const server = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      PUBLIC_URL: url,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  }
  let isStopping = false;
  server.once('exit', (code, signal) => {
    if (!isStopping) console.error(`The server ended by itself (${code ?? signal}):\n${output}`);
  });
  const stop = async (): Promise<void> => {
    isStopping = true;
    if (server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      // A timer that nobody waits for any more would keep the tests' own process alive.
      const late = setTimeout(() => server.kill('SIGKILL'), STOP_WITHIN_MS);
      await ended;
      clearTimeout(late);
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(url, server, () => output);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
