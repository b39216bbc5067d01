// What an operator types: a mistyped directory, a lost key, a wrong argument. Each is told in a sentence with its remedy, and nothing is made or changed.
import assert from 'node:assert/strict';
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { COMMANDS, refuseArguments } from '../../app/commands.ts';
import { loadSecrets } from '../../config/secrets.ts';
import { transact } from '../../db/database.ts';
import { openStorage } from '../../db/storage.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import { StartupError } from '../../lib/startup-error.ts';
import { ROOT } from '../source-files.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { startTestApp, testConfig } from './start-test-app.ts';

const dir = makeTempDir();
const DATA = dir.join('data');
/** A user who owns nothing, on every Unix. */
const NOBODY = 65_534;

/** As `main.ts` does it, in this process: a process for each would take a minute. */
async function run(args: readonly [keyof typeof COMMANDS, ...string[]], env: Record<string, string> = {}) {
  const lines: string[] = [];
  const log = mock.method(console, 'log', (line: string) => void lines.push(line));
  const before = { ...process.env };
  Object.assign(process.env, { DATA_DIR: DATA, ENCRYPTION_KEY: '', PORT: '0' }, env);
  const [command, ...rest] = args;
  try {
    refuseArguments(command, rest, 'usage');
    await COMMANDS[command](rest);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { code: 1, out: `${error.message}\n${error.remedy}\n` };
  } finally {
    log.mock.restore();
    process.env = before;
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = 0;
  return { code, out: `${lines.join('\n')}\n` };
}

/** The program itself. */
async function start(args: readonly string[], env: Record<string, string> = {}, as: SpawnOptions = {}) {
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), ...args], {
    ...as,
    env: { PATH: process.env['PATH'], DATA_DIR: DATA, ...env },
    stdio: 'pipe',
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, out };
}

before(async () => {
  const { app } = await startTestApp(DATA);
  await app.stop();
});
after(() => dir[Symbol.dispose]());

test('where there is no database, no command makes one, and each says which directory it looked in', async () => {
  const DATA_DIR = dir.join('mistyped');
  mkdirSync(DATA_DIR);
  for (const args of [
    ['outbox'],
    ['messages'],
    ['newsletter'],
    ['backup'],
    ['rotate-key'],
    ['reset-2fa', 'ada@example.com'],
  ] as const) {
    const { code, out } = await run(args, { DATA_DIR });
    assert.equal(out, `There is no database in ${DATA_DIR}.\nSet DATA_DIR to where the server keeps its data.\n`);
    assert.equal(code, 1);
  }
  assert.deepEqual(readdirSync(DATA_DIR), []);
});

test('what somebody typed does not steer the terminal of who reads their emails', async () => {
  const DATA_DIR = dir.join('letters');
  const { app, call } = await startTestApp(DATA_DIR);
  const firstName = 'Ada\u001b[2J\u009b31m';
  const form = { firstName, lastName: 'L', email: 'ada@example.com', password: 'Secret-12', agreeToTerms: true };
  assert.equal((await call('POST', '/api/auth/signup', form)).status, 201);
  await app.stop();
  const [id = ''] = (await run(['outbox'], { DATA_DIR })).out.split(' ');
  const { out } = await run(['outbox', id], { DATA_DIR });
  assert.match(out, /^To: ada@example\.com\nSubject: .*\n\nHello Ada \[2J 31m,\n\nPlease confirm/);
});

test('who agreed to the newsletter is printed for a spreadsheet, beside a running server, and is no formula there', async () => {
  const DATA_DIR = dir.join('newsletter');
  const { app, call } = await startTestApp(DATA_DIR, { signup: 'open' });
  const form = { password: 'Secret-12', agreeToTerms: true, subscribeToNewsletter: true };
  const signUp = (person: object) => call<{ accessToken: string }>('POST', '/api/auth/signup', { ...form, ...person });
  try {
    const people = [
      { email: 'ada@example.com', firstName: 'Ada, "Countess"', lastName: 'L' },
      { email: 'eve@example.com', firstName: '=HYPERLINK("http://evil.example")', lastName: '\u001b[2J' },
      { email: 'no@example.com', firstName: 'No', lastName: 'Thanks', subscribeToNewsletter: false },
    ];
    for (const person of people) assert.equal((await signUp(person)).status, 201);
    const left = await signUp({ email: 'left@example.com', firstName: 'Left', lastName: 'Again' });
    const withdrawal = { subscribeToNewsletter: false };
    assert.equal((await call('PATCH', '/api/user/settings', withdrawal, left.body.accessToken)).status, 200);
    const { code, out } = await run(['newsletter'], { DATA_DIR });
    assert.equal(code, 0);
    const [head, ada = '', eve = '', ...rest] = out.split(/\r?\n/);
    assert.equal(head, 'email,name,agreed_at,source,email_confirmed_at');
    assert.match(ada, /^ada@example\.com,"Ada, ""Countess"" L",\d{4}-\d\d-\d\dT[\d:.]+Z,signup,$/);
    assert.match(eve, /^eve@example\.com,"'=HYPERLINK\(""http:\/\/evil\.example""\) +\[2J",\d{4}-[\dT:.-]+Z,signup,$/);
    assert.deepEqual(rest, ['']);
  } finally {
    await app.stop();
  }
});

test('a command does what was typed or says what it does not take: --help changes nothing', async () => {
  const key = readFileSync(join(DATA, 'encryption.key'), 'utf8');
  const help = await start(['rotate-key', '--help']);
  assert.match(help.out, /^Usage: twinshelf \[command\]/);
  assert.equal(help.code, 0);
  assert.match((await start(['sync', '--help'])).out, /^Usage: twinshelf sync/);
  assert.equal(readFileSync(join(DATA, 'encryption.key'), 'utf8'), key, 'and the key is the same');
  for (const args of [
    ['serve', '--port', '80'],
    ['backup', dir.join('one.db'), 'two'],
    ['rotate-key', 'now'],
    ['backup', '--force'],
  ] as const) {
    const { code, out } = await run(args);
    assert.match(out, /^"[\w-]+" takes no "[^"]+"\. Settings are environment variables\./, args.join(' '));
    assert.equal(code, 1);
  }
  assert.match((await run(['messages', 'all'])).out, /^"all" is no number of messages\.\nWrite how many/);
});

test('a missing encryption key is told, and never made anew beside a database that was sealed with another', async () => {
  const file = join(DATA, 'encryption.key');
  const key = readFileSync(file, 'utf8');
  rmSync(file);
  try {
    for (const args of [['outbox'], ['messages'], ['rotate-key'], ['serve']] as const) {
      const { code, out } = await run(args);
      assert.match(
        out,
        /^The encryption key is missing: ENCRYPTION_KEY is not set, and there is no .*\n.*put the file/,
      );
      assert.equal(code, 1);
    }
    assert.ok(!readdirSync(DATA).includes('encryption.key'));
    assert.match((await run(['doctor'])).out, /LOOK {2}The encryption key is missing/);
    assert.match((await run(['doctor'], { ENCRYPTION_KEY: 'ab'.repeat(32) })).out, /LOOK {2}ENCRYPTION_KEY .* is not/);
  } finally {
    writeFileSync(file, key);
  }
  assert.match((await run(['doctor'])).out, /ok {4}the encryption key opens the database/);
});

test('a log that can not be written does not stop the server', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts')], {
    env: { PATH: process.env['PATH'], DATA_DIR: dir.join('full'), PORT: '0', DEMO: 'off', LOG_LEVEL: 'debug' },
    stdio: ['ignore', full, full, 'ipc'],
  });
  closeSync(full);
  const ended = once(child, 'exit');
  const [message] = await Promise.race([once(child, 'message'), ended]);
  const { ready } = message as { ready: string };
  for (const path of ['/api/health', '/api/instance']) assert.equal((await fetch(`${ready}${path}`)).status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});

test('a backup is put back where nothing was; a damaged database, a directory in place of a file, a file in place of a directory: a sentence, no trace', async () => {
  const backup = dir.join('kept.db');
  assert.equal((await run(['backup', backup])).code, 0);
  const DATA_DIR = dir.join('damaged');
  assert.equal((await run(['restore', backup], { DATA_DIR })).code, 0);
  truncateSync(join(DATA_DIR, 'twinshelf.db'), 300_000);
  assert.match((await run(['doctor'], { DATA_DIR })).out, /LOOK {2}the database .* can not be read .*restore a backup/);
  assert.match((await run(['outbox'], { DATA_DIR })).out, /^The database .* can not be opened/);
  assert.match((await run(['backup', join(backup, 'x.db')])).out, /^The backup could not be written .*\n.*as it was/);
  assert.match((await run(['restore', dir.path], { DATA_DIR })).out, /is no whole backup: it is no file\n/);
  assert.match((await run(['serve'], { DATA_DIR: backup })).out, /^DATA_DIR .*kept\.db is no directory\.\n/);
  const config = { ...testConfig(DATA), dataDir: join(backup, 'inside') };
  assert.throws(() => loadSecrets(config), { name: 'StartupError', message: /kept\.db\/inside is no directory/ });
});

test('a database that belongs to another user is told, not opened for reading; the doctor says it too', async () => {
  const DATA_DIR = dir.join('foreign');
  cpSync(DATA, DATA_DIR, { recursive: true });
  // Who tests as root may write everything, and starts the program as somebody who may not.
  const isRoot = process.getuid?.() === 0;
  if (isRoot)
    for (const path of [DATA_DIR, ...readdirSync(DATA_DIR).map((name) => join(DATA_DIR, name))])
      chownSync(path, NOBODY, NOBODY);
  if (isRoot) chmodSync(dir.path, 0o755);
  const file = join(DATA_DIR, 'twinshelf.db');
  if (isRoot) chownSync(file, 0, 0);
  chmodSync(file, 0o444);
  const who = { DATA_DIR, PORT: '0', DEMO: 'off' };
  const served = await start(['serve'], who, isRoot ? { uid: NOBODY, gid: NOBODY } : {});
  assert.match(served.out, /^\S*twinshelf\.db can not be written: .*\nMake it writable for the user that runs this/);
  assert.equal(served.code, 1);
  const looked = await start(['doctor'], who, isRoot ? { uid: NOBODY, gid: NOBODY } : {});
  assert.match(looked.out, /LOOK {2}\S*twinshelf\.db can not be written/);
});

test('a start that fails when it listens already does not stay, serving nobody', async () => {
  const dataDir = dir.join('half-started');
  cpSync(DATA, dataDir, { recursive: true });
  const owner = { pid: 1, host: 'h', startedAt: '' };
  const { db, close } = openStorage({ dataDir, version: '0.1.0', owner, nowMs: 0 });
  transact(db, (tx) => enqueueJob(tx, { key: 'k', task: 't', groupKey: 'g', payload: null, priority: 0, runAt: 0 }));
  db.connection.exec("UPDATE job SET state = 'executing'");
  db.connection.exec("CREATE TRIGGER full BEFORE UPDATE ON job BEGIN SELECT RAISE(ABORT, 'no room'); END");
  close();
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const server = { ...testConfig(dataDir).server, port };
  await assert.rejects(startTestApp(dataDir, { server }), /no room/);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/api/health`));
  openStorage({ dataDir, version: '0.1.0', owner, nowMs: 0 }).close();
});
