// npm start: builds (about a second), then runs the bundle with the memory settings of a small machine.
// Plain JavaScript without dependencies, so that a Node that is too old gets a sentence instead of a crash.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/** Oldest Node that runs TypeScript files and all our packages. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (Number(process.versions.napi) < 10 || major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Node ${process.version} is too old. Run "npm ci && npm start" (on Linux x64 that brings Node 24 with it), or install Node 22.19 or newer.`,
  );
  process.exit(1);
}

const build = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (build.status !== 0) process.exit(build.status ?? 1);

const flags = ['--max-old-space-size=128', '--max-semi-space-size=2', '--heap-growing-percent=50'];
const server = spawn(process.execPath, [...flags, join(root, 'dist/server.mjs'), ...process.argv.slice(2)], {
  // glibc gives each thread a memory arena of its own otherwise, and never returns it. It has to be set before the process starts.
  env: { MALLOC_ARENA_MAX: '2', ...process.env },
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});

// The server says { ready: "http://..." } once it answers.
server.on('message', (message) => {
  const url = typeof message === 'object' && message !== null && 'ready' in message ? message.ready : null;
  if (typeof url === 'string') openBrowser(url);
  if (server.connected) server.disconnect();
});

process.on('SIGTERM', () => server.kill('SIGTERM'));
process.on('SIGHUP', () => server.kill('SIGTERM'));
// Ctrl-C at a terminal reaches the server directly; sent by a program, it reaches only us.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) server.kill('SIGINT');
});

// npm runs us through a shell that does not pass signals on: when npm is stopped the shell just goes, and we would stay behind.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid !== parent) server.kill('SIGTERM');
}, 500);
watch.unref();

server.on('error', (error) => {
  console.error(`The server could not be started: ${error.message}`);
  process.exitCode = 1;
});
server.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1);
});

/** Shows the dashboard to a person who sits in front of it, and to nobody else. */
function openBrowser(url) {
  const { CI, NO_OPEN, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (CI || NO_OPEN || !process.stdout.isTTY) return;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return;
  const commands = { darwin: ['open', [url]], win32: ['cmd', ['/c', 'start', '', url]], linux: ['xdg-open', [url]] };
  const [command, args] = commands[process.platform] ?? [];
  if (!command) return;
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
