import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { insertWorld, type World } from '../../testing/http/insert-world.ts';
import { makeTestApp, type TestApp } from '../../testing/http/make-test-app.ts';
import { REMOTE_COMMANDS } from './commands.ts';
import { layOutTable } from './lay-out-table.ts';

const MAIN = join(import.meta.dirname, '../../main.ts');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe('commands that ask a running server', () => {
  let app: TestApp;
  let world: World;
  let env: Record<string, string>;
  const dir = mkdtempSync(join(tmpdir(), 'remote-'));

  before(async () => {
    app = await makeTestApp({ engine: { requestRun: () => ({ id: world.runId }) as never, retryProblem: () => null } });
    const person = app.person();
    world = insertWorld(app.db, person.workspace.id, app.clock.now());
    await app.server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.server.address() as { port: number };
    writeFileSync(join(dir, 'token'), `${person.token}\n`);
    env = { API_URL: `http://127.0.0.1:${port}/`, API_TOKEN_FILE: join(dir, 'token') };
  });
  after(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(dir, { recursive: true, force: true });
  });

  /** The program as a person starts it. */
  function run(args: readonly string[], change: Record<string, string> = {}): Promise<Ended> {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { PATH: process.env['PATH'], ...env, ...change },
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
  }

  test('lists are tables; --json is the whole reply', async () => {
    const { code, out, err } = await run(['stores', 'list']);
    assert.equal(code, 0, err);
    const [head = '', ...rows] = out.trimEnd().split('\n');
    assert.deepEqual(head.trim().split(/ {2,}/), ['ID', 'PLATFORM', 'NAME', 'DOMAIN', 'STATUS']);
    assert.equal(rows.length, 2);
    const json = JSON.parse((await run(['pairs', 'list', '--json'])).out);
    assert.equal(json.pairs[0]._id, world.pairId);
  });

  test('a list that goes on says so, and how', async () => {
    const first = await run(['stores', 'list', '--limit', '1']);
    assert.equal(first.out.trimEnd().split('\n').length, 2, first.err);
    const [, cursor = ''] = /^There are more: .*--cursor (\S+) goes on from here\.\n$/.exec(first.err) ?? [];
    const rest = await run(['stores', 'list', '--cursor', cursor]);
    assert.equal(rest.out.trimEnd().split('\n').length, 2);
    assert.notEqual(rest.out, first.out);
    assert.equal(rest.err, '');
  });

  test('what it does is what the API does', async () => {
    const started = await run(['sync', 'now', world.pairId]);
    assert.match(started.out, new RegExp(`${world.runId} `), started.err);
    assert.equal((await run(['problems', 'retry', world.problemId])).out, 'Done.\n');
    assert.deepEqual(
      app.calls.filter(({ name }) => name === 'retryProblem').map(({ args }) => args),
      [[world.problemId]],
    );
    const filtered = await run(['records', 'list', '--q', 'no such thing']);
    assert.equal(filtered.out, 'Nothing.\n');
  });

  test('mistakes say what to do, and end with an error', async () => {
    for (const [args, words, change] of [
      [['stores', 'burn'], /stores list .*\n.*stores test <store>/, {}],
      [['sync', 'now'], /sync now <pair>/, {}],
      [['records', 'list', '--colour', 'red'], /no option --colour/, {}],
      [['sync', 'status', 'run_unknown'], /NOT_FOUND, request req_/, {}],
      [['pairs', 'list'], /does not accept API_TOKEN.*\nMake a new one/, { API_TOKEN_FILE: '', API_TOKEN: 'nonsense' }],
      [['pairs', 'list'], /API_TOKEN is not set/, { API_TOKEN_FILE: '' }],
      [['pairs', 'list'], /no answer from http:\/\/127\.0\.0\.1:9/, { API_URL: 'http://127.0.0.1:9' }],
    ] as const) {
      const { code, err, out } = await run(args, change);
      assert.equal(code, 1, out);
      assert.match(err, words);
    }
  });

  test('a page that answers in place of the server is told apart from it', async () => {
    const page = createServer((_request, reply) => reply.end('<html>')).listen(0, '127.0.0.1');
    await once(page, 'listening');
    try {
      const { code, err } = await run(['stores', 'list'], {
        API_URL: `http://127.0.0.1:${(page.address() as { port: number }).port}`,
      });
      assert.equal(code, 1);
      assert.match(err, /^What answers at http:.* is no Twinshelf\.\nSet API_URL/);
    } finally {
      page.close();
    }
  });

  test('every command is a route that exists', () => {
    const known = app.server.knownRoutes.map(({ method, url }) => `${method} ${url.replaceAll(/:\w+/g, 'x')}`);
    for (const command of Object.values(REMOTE_COMMANDS).flat()) {
      const path = command.path(['x', 'x', 'x']);
      assert.ok(known.includes(`${command.method} ${path}`), `${command.method} ${path}`);
    }
  });
});

test('a table has a column for each key, and no control characters', () => {
  assert.equal(
    layOutTable([
      { name: 'Mug\u001b[31m', stock: 7 },
      { name: 'Bowl', stock: 12 },
    ]),
    'NAME      STOCK\nMug [31m      7\nBowl         12',
  );
});
