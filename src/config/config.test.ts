import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { StartupError } from '../lib/startup-error.ts';
import { loadConfig } from './config.ts';
import { loadSecrets } from './secrets.ts';

const HEX = 'ab'.repeat(32);
const MAKE_SECRETS = `
  const { loadConfig } = await import(${JSON.stringify(join(import.meta.dirname, 'config.ts'))});
  const { loadSecrets } = await import(${JSON.stringify(join(import.meta.dirname, 'secrets.ts'))});
  try {
    console.log(loadSecrets(loadConfig()).createdFiles.length + ' made');
  } catch (error) {
    console.log(error.message);
  }
`;
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('nothing set: safe defaults', () => {
  const config = loadConfig({});
  assert.deepEqual(config, {
    server: { host: '127.0.0.1', port: 8080, publicUrl: null, tls: null, trustedProxies: [] },
    mail: null,
    openId: null,
    dataDir: resolve('data'),
    demo: true,
    allowLocalStores: false,
    logLevel: 'info',
    shopifyApiVersion: null,
    signup: 'first',
    usageLimits: { api_calls: 1_000 },
    historyKeptMs: 400 * 86_400_000,
    backupsKept: 3,
    breachedPasswordsFile: null,
    given: { setupToken: null, jwtSecret: null, encryptionKeys: null },
  });
  assert.deepEqual(loadConfig({ HOST: '', PORT: ' ', DEMO: '', ENCRYPTION_KEY_FILE: '' }), config);
});

test('a certificate needs its key, and the other way round', () => {
  const both = { TLS_CERT: join(dir, 'cert.pem'), TLS_KEY: join(dir, 'key.pem') };
  assert.deepEqual(loadConfig(both).server.tls, { certFile: both.TLS_CERT, keyFile: both.TLS_KEY });
  for (const given of ['TLS_CERT', 'TLS_KEY'] as const) {
    const missing = given === 'TLS_CERT' ? 'TLS_KEY' : 'TLS_CERT';
    assert.throws(() => loadConfig({ [given]: both[given] }), {
      name: 'StartupError',
      message: new RegExp(`${missing} is needed as well`),
    });
  }
});

test('everything set', () => {
  const config = loadConfig({
    HOST: '0.0.0.0',
    PORT: '0',
    PUBLIC_URL: 'https://sync.example.com/twin/',
    DATA_DIR: dir,
    DEMO: 'off',
    ALLOW_LOCAL_STORES: 'TRUE',
    LOG_LEVEL: 'debug',
    SHOPIFY_API_VERSION: '2026-10',
    SIGNUP: 'open',
    SETUP_TOKEN: 'a-long-enough-one',
    JWT_SECRET: 'j'.repeat(40),
    ENCRYPTION_KEY: `${HEX},${Buffer.alloc(32, 7).toString('base64')}`,
  });
  assert.equal(config.server.publicUrl, 'https://sync.example.com/twin');
  assert.equal(config.server.port, 0);
  assert.equal(config.allowLocalStores, true);
  assert.deepEqual(
    config.given.encryptionKeys?.map((key) => key.length),
    [32, 32],
  );
});

test('a mail server and the proxies in front', () => {
  const config = loadConfig({
    SMTP_URL: 'smtps://ada%40example.com:p%40ss@mail.example.com:465',
    TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
  });
  assert.equal(config.mail?.from, 'ada@example.com', 'the user of the mail server, if nothing else is said');
  assert.deepEqual(config.server.trustedProxies, ['127.0.0.1', '10.0.0.0/8']);
  const named = loadConfig({ SMTP_URL: 'smtp://mail:25', MAIL_FROM: 'Shelf <shelf@example.com>' });
  assert.equal(named.mail?.from, 'Shelf <shelf@example.com>');
  assert.throws(
    () =>
      loadConfig({
        SMTP_URL: 'https://mail.secret-user:x@host',
        TRUSTED_PROXIES: '10.0.0.0/99',
        MAIL_FROM: 'a\r\nBcc: b@c',
      }),
    (error) => {
      assert.ok(error instanceof StartupError);
      for (const name of ['SMTP_URL', 'TRUSTED_PROXIES', 'MAIL_FROM'])
        assert.ok(error.message.includes(`${name} is`), name);
      assert.ok(!error.message.includes('secret-user'));
      return true;
    },
  );
});

test('who trusts every address as a proxy is told why not', () => {
  for (const TRUSTED_PROXIES of ['0.0.0.0/0', '10.0.0.0/8, ::/0'])
    assert.throws(() => loadConfig({ TRUSTED_PROXIES }), {
      name: 'StartupError',
      message: /TRUSTED_PROXIES is no list of addresses: .* not all that there are \(\/0\)/,
    });
});

test('a mail server whose user or password has a sign that is none is told before the first email is ordered', () => {
  for (const SMTP_URL of ['smtps://ada%:pass@mail.example.com', 'smtps://ada:50%off@mail.example.com:465'])
    assert.throws(() => loadConfig({ SMTP_URL }), {
      name: 'StartupError',
      message: /SMTP_URL is no address of a mail server: .* % in user and password as .*%25/,
    });
  assert.equal(loadConfig({ SMTP_URL: 'smtps://ada:50%25off@mail' }).mail?.smtpUrl, 'smtps://ada:50%25off@mail');
});

test('a limit of usage is a number, and none where it is 0', () => {
  const limitOf = (value: string) => loadConfig({ USAGE_API_CALLS_PER_HOUR: value }).usageLimits.api_calls;
  assert.deepEqual([limitOf('250'), limitOf('0'), limitOf('')], [250, null, 1_000]);
  assert.throws(() => limitOf('many'), /USAGE_API_CALLS_PER_HOUR is "many": write a whole number from 0/);
});

test('the history is kept for a year and a month, as long as is said, or for ever', () => {
  const keptOf = (value: string) => loadConfig({ HISTORY_DAYS: value }).historyKeptMs;
  assert.deepEqual([keptOf('90'), keptOf('0'), keptOf('')], [90 * 86_400_000, null, 400 * 86_400_000]);
  assert.throws(() => keptOf('-1'), /HISTORY_DAYS is "-1": write a whole number from 0/);
});

test('daily copies: as many as are said, or none', () => {
  const keptOf = (value: string) => loadConfig({ BACKUPS_KEEP: value }).backupsKept;
  assert.deepEqual([keptOf('14'), keptOf('0'), keptOf('')], [14, 0, 3]);
  assert.throws(() => keptOf('all'), /BACKUPS_KEEP is "all": write a whole number from 0/);
});

test('sign-in by OpenID Connect is whole or not there', () => {
  const whole = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'shelf', OIDC_CLIENT_SECRET: 's3cret' };
  assert.deepEqual(loadConfig({ ...whole, OIDC_NAME: 'Example', OIDC_SIGNUP: 'on' }).openId, {
    ...{ issuer: whole.OIDC_ISSUER, clientId: 'shelf', clientSecret: 's3cret', name: 'Example', allowsSignUp: true },
  });
  assert.equal(loadConfig({ OIDC_CLIENT_ID: 'shelf' }).openId, null);
  assert.throws(() => loadConfig({ ...whole, OIDC_CLIENT_SECRET: '' }), /OIDC_CLIENT_SECRET is needed/);
  assert.throws(() => loadConfig({ ...whole, OIDC_ISSUER: 'http://login.example.com' }), /OIDC_ISSUER is no address/);
});

test('every bad value is named with its remedy, all at once, and no secret is shown', () => {
  const bad = {
    PORT: '80a',
    DEMO: 'maybe',
    PUBLIC_URL: 'sync.example.com',
    LOG_LEVEL: 'loud',
    SIGNUP: 'none',
    SHOPIFY_API_VERSION: '2026-11',
    JWT_SECRET: 'secret-short',
    SETUP_TOKEN: 'secret',
    ENCRYPTION_KEY: 'secret-key',
  };
  assert.throws(
    () => loadConfig(bad),
    (error) => {
      assert.ok(error instanceof StartupError);
      for (const name of Object.keys(bad)) assert.ok(error.message.includes(`${name} is`), name);
      assert.ok(!/secret-(short|key)/.test(error.message));
      return true;
    },
  );
  for (const PORT of ['-1', '65536', '1e3', '8080.5']) assert.throws(() => loadConfig({ PORT }), /PORT is/);
  for (const PUBLIC_URL of ['ftp://x', 'https://u:p@x', 'https://x/?a=1']) {
    assert.throws(() => loadConfig({ PUBLIC_URL }), /PUBLIC_URL is no web address/);
  }
});

test('a secret may come from a file; both, an empty one or a missing one are mistakes', () => {
  const file = join(dir, 'key');
  writeFileSync(file, `${HEX}\n`);
  assert.equal(loadConfig({ ENCRYPTION_KEY_FILE: file }).given.encryptionKeys?.length, 1);
  assert.throws(
    () => loadConfig({ ENCRYPTION_KEY_FILE: file, ENCRYPTION_KEY: HEX }),
    /together with ENCRYPTION_KEY_FILE/,
  );
  assert.throws(
    () => loadConfig({ JWT_SECRET_FILE: join(dir, 'none') }),
    /JWT_SECRET_FILE names a file that can not be read/,
  );
  writeFileSync(file, '');
  assert.throws(() => loadConfig({ SETUP_TOKEN_FILE: file }), /is empty/);
});

test('secrets that were not given are made once, kept readable by the owner only, and found again', () => {
  const dataDir = join(dir, 'data');
  const config = loadConfig({ DATA_DIR: dataDir });
  const first = loadSecrets(config);
  assert.equal(first.createdFiles.length, 2);
  for (const file of first.createdFiles) assert.equal(statSync(file).mode & 0o777, 0o600);
  chmodSync(join(dataDir, 'jwt.secret'), 0o644);
  const second = loadSecrets(config);
  assert.deepEqual({ ...second, createdFiles: [] }, { ...first, createdFiles: [] });
  assert.deepEqual(second.createdFiles, []);
  assert.equal(statSync(join(dataDir, 'jwt.secret')).mode & 0o777, 0o600);
  writeFileSync(join(dataDir, 'encryption.key'), 'z'.repeat(64));
  assert.throws(() => loadSecrets(config), /holds no key/);
  writeFileSync(join(dataDir, 'jwt.secret'), 'cut');
  writeFileSync(join(dataDir, 'encryption.key'), HEX);
  assert.throws(() => loadSecrets(config), /was cut short/);
});

test('a disk that is full at the first start leaves nothing of a secret: once there is room the start makes it', () => {
  const dataDir = join(dir, 'data');
  // A process that may write no byte to any file: what is made stays empty, as on a full disk.
  const start = (limit: string) =>
    spawnSync(
      'sh',
      ['-c', `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, '--input-type=module', '-e', MAKE_SECRETS],
      {
        env: { ...process.env, DATA_DIR: dataDir },
        encoding: 'utf8',
      },
    );
  assert.match(start('0').stdout, /^DATA_DIR .*data can not be written: E/);
  assert.deepEqual(readdirSync(dataDir), []);
  assert.equal(start('unlimited').stdout, '2 made\n');
});

test('given secrets leave no file behind', () => {
  const dataDir = join(dir, 'data');
  const given = loadSecrets(loadConfig({ DATA_DIR: dataDir, ENCRYPTION_KEY: HEX, JWT_SECRET: 'j'.repeat(40) }));
  assert.deepEqual(given.createdFiles, []);
  assert.equal(given.jwtSecret, 'j'.repeat(40));
});
