// Where `npm start` leads a person to.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { FORM } from '../http/account-client.ts';
import { ROOT } from '../source-files.ts';
import { makeTempDir } from '../support/temp-dir.ts';

/** The server's program until `visit` is over: what it printed, and where it would have the browser go. */
async function start(dataDir: string, env: Record<string, string>, visit: (url: string) => Promise<void>) {
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts')], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  const [{ ready }] = (await once(child, 'message')) as [{ readonly ready: string }];
  await visit(new URL(ready).origin);
  child.kill('SIGTERM');
  await once(child, 'close');
  return { printed, path: new URL(ready).pathname, origin: new URL(ready).origin };
}

test('a first start leads to the two sandbox stores, one with an account to the first page', async () => {
  using dir = makeTempDir();
  const data = dir.join('data');
  const first = await start(data, {}, async (url) => {
    const headers = { 'content-type': 'application/json' };
    const signUp = await fetch(`${url}/api/auth/signup`, { method: 'POST', headers, body: JSON.stringify(FORM) });
    assert.equal(signUp.status, 201, await signUp.text());
  });
  assert.equal(first.path, '/demo');
  assert.ok(first.printed.includes(`is running: ${first.origin}\n`), first.printed);
  assert.ok(first.printed.includes(`to play with: ${first.origin}/demo\n`), first.printed);
  const again = await start(data, {}, async () => undefined);
  assert.equal(again.path, '/');
  assert.ok(again.printed.includes(`${again.origin}/demo`), again.printed);
  const plain = await start(dir.join('other'), { DEMO: 'off' }, async () => undefined);
  assert.equal(plain.path, '/');
  assert.ok(!plain.printed.includes('/demo'), plain.printed);
});
