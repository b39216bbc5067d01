import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { StartupError } from '../lib/startup-error.ts';
import { acquireProcessLock } from './process-lock.ts';

const OWNER = { pid: 7, host: 'here', startedAt: '2026-11-21T09:00:00.000Z' };
const HOLD = `
  import { acquireProcessLock } from ${JSON.stringify(join(import.meta.dirname, 'process-lock.ts'))};
  acquireProcessLock(process.argv[1], { pid: process.pid, host: 'there', startedAt: 'now' });
  console.log('held');
  setInterval(() => {}, 1000);
`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a second holder in the same process is refused, and free after the release', () => {
  const lock = acquireProcessLock(dir, OWNER);
  assert.throws(
    () => acquireProcessLock(dir, OWNER),
    (error) => error instanceof StartupError && /already using .*process 7 on here, since 2026/.test(error.message),
  );
  lock.release();
  lock.release();
  acquireProcessLock(dir, OWNER).release();
});

test('a second process is refused; after kill -9 the lock is free at once', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  assert.throws(() => acquireProcessLock(dir, OWNER), new RegExp(`process ${child.pid} on there`));
  child.kill('SIGKILL');
  await once(child, 'exit');
  acquireProcessLock(dir, OWNER).release();
});
