// docs/api.md: its examples are run as they stand there, in their order, against the whole program and two sandbox stores.
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ERROR_CATALOGUE } from '../../contracts/errors.ts';
import { ENDPOINT_EVENTS } from '../../model/endpoint.ts';
import { isTest, ROOT, readSources } from '../source-files.ts';
import { whyMissing } from '../support/missing-tools.ts';
import { makeTempDir, type TempDir } from '../support/temp-dir.ts';
import { OWNER, startLinkedApp } from './start-linked-app.ts';
import { eventually } from './start-test-app.ts';

const DOCS = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
const MISSING = ['bash', 'curl', 'jq', 'sed'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

interface Block {
  readonly language: string;
  readonly text: string;
}

const BLOCKS: readonly Block[] = [...DOCS.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', text = '']) => ({ language, text }),
);

test('every example of docs/api.md does what it says', {
  skip: whyMissing(MISSING, 'apt-get install'),
}, async () => {
  using dir = makeTempDir();
  await using receiver = await startReceiver();
  const products = ['Vase', 'Bowl', 'Mug'].map((title) => ({ title, sku: title.toUpperCase() }));
  await using app = await startLinkedApp(dir.join('data'), products);
  const [first, ...calls] = BLOCKS.filter(({ language }) => language === 'sh');
  assert.deepEqual(
    [...(first?.text.matchAll(/^export (\w+)=/gm) ?? [])].map(([, name]) => name),
    [...['TWINSHELF', 'EMAIL', 'PASSWORD', 'RECEIVER']],
  );
  const script = calls.map(({ text }, at) => `exec >"${dir.path}/out${at}"\n${text}`).join('\n');
  writeFileSync(
    dir.join('examples.sh'),
    `set -euo pipefail\n${script}\necho "$WEBHOOK_SECRET" >"${dir.path}/secret"\n`,
  );
  await promisify(execFile)('bash', ['--norc', dir.join('examples.sh')], {
    cwd: dir.path,
    env: {
      ...{ PATH: process.env['PATH'], TWINSHELF: app.running.app.url, RECEIVER: receiver.url },
      ...{ EMAIL: OWNER.email, PASSWORD: OWNER.password },
    },
  });

  for (const [at, call] of calls.entries()) {
    const said = BLOCKS[BLOCKS.indexOf(call) + 1];
    const printed = readFileSync(`${dir.path}/out${at}`, 'utf8');
    if (said?.language === 'text') sameLines(printed, said.text);
    else if (said?.language === 'json') sameShape(JSON.parse(printed), JSON.parse(said.text), call.text);
    else assert.equal(printed, '', call.text);
  }
  await runProgram(dir, { TWINSHELF: app.running.app.url, TOKEN: await app.makeToken('manage') });
  const message = await eventually('the webhook', () => receiver.got[0] ?? null);
  await checkReader(message, readFileSync(`${dir.path}/secret`, 'utf8').trim(), dir.join('read-webhook.mjs'));
  await listen(dir, { TWINSHELF: app.running.app.url, SESSION: app.session }, () =>
    app.running.call('POST', `/api/pairs/${app.pairId}/pause`, null, app.session),
  );
});

/** Records that changed in the same millisecond come in any order. */
function sameLines(printed: string, shown: string): void {
  assert.deepEqual(printed.split('\n').sort(), shown.split('\n').sort());
}

/** With the client that the shell has fetched, by Node itself. */
async function runProgram(dir: TempDir, env: NodeJS.ProcessEnv): Promise<void> {
  const at = BLOCKS.findIndex(({ language }) => language === 'ts');
  writeFileSync(dir.join('example.ts'), BLOCKS[at]?.text ?? '');
  writeFileSync(dir.join('package.json'), '{ "type": "module" }');
  const { stdout } = await promisify(execFile)(process.execPath, [dir.join('example.ts')], { env, cwd: dir.path });
  sameLines(stdout, BLOCKS[at + 1]?.text ?? '');
}

/** The example that listens, which is told what happens from then on. */
async function listen(dir: TempDir, env: NodeJS.ProcessEnv, happen: () => Promise<unknown>): Promise<void> {
  const [, code] = BLOCKS.filter(({ language }) => language === 'js');
  writeFileSync(dir.join('listen.mjs'), code?.text ?? '');
  const child = spawn(process.execPath, [dir.join('listen.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let heard = '';
  child.stdout.on('data', (chunk) => {
    heard += chunk;
  });
  try {
    await eventually('the first word', () => (/^ready \{/.test(heard) ? true : null));
    await happen();
    await eventually('what happened', () => (/^activity \{[^}]*type: 'pair_paused'/m.test(heard) ? true : null));
  } finally {
    child.kill();
  }
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The program that the page gives its readers, with a real message and with forged ones. */
async function checkReader({ headers, body }: Received, secret: string, file: string): Promise<void> {
  const [code] = BLOCKS.filter(({ language }) => language === 'js');
  writeFileSync(file, code?.text ?? '');
  type Read = (headers: IncomingHttpHeaders, body: string, secret: string) => { readonly type: string };
  const { readWebhook } = (await import(pathToFileURL(file).href)) as { readonly readWebhook: Read };
  assert.equal(readWebhook(headers, body, secret).type, 'endpoint.test');
  const both = {
    ...headers,
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${headers['webhook-signature']}`,
  };
  assert.equal(readWebhook(both, body, secret).type, 'endpoint.test', 'while the secret is being changed');
  const isNot = /signature is not right/;
  assert.throws(() => readWebhook(headers, `${body} `, secret), isNot);
  assert.throws(() => readWebhook({ ...headers, 'webhook-id': 'msg_other' }, body, secret), isNot);
  assert.throws(() => readWebhook(headers, body, `whsec_${Buffer.alloc(32).toString('base64')}`), isNot);
  assert.throws(() => readWebhook({ ...headers, 'webhook-signature': '' }, body, secret), isNot);
  assert.throws(() => readWebhook({ ...headers, 'webhook-timestamp': '1700000000' }, body, secret), /too old/);
}

/** Everything that the page shows is there, and of the same kind; there may be more. */
function sameShape(actual: unknown, shown: unknown, where: string): void {
  const kind = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
  assert.equal(kind(actual), kind(shown), where);
  if (Array.isArray(shown)) {
    for (const [at, one] of shown.entries()) sameShape((actual as unknown[])[at], one, `${where}[${at}]`);
  } else if (typeof shown === 'object' && shown !== null) {
    for (const [key, one] of Object.entries(shown)) {
      assert.ok(key in (actual as object), `${where}: there is no ${key} in ${JSON.stringify(actual)}`);
      sameShape((actual as Record<string, unknown>)[key], one, `${where} ${key}`);
    }
  } else if (typeof shown === 'string' && !shown.includes('…') && !FREE.test(where)) assert.equal(actual, shown, where);
}

/** Texts that are this shop's own. */
const FREE = / (domain)$/;

test('docs/api.md names every code of the catalogue, and nothing is thrown that is not in it', () => {
  const rows = Object.entries(ERROR_CATALOGUE).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
  );
  const table = ['| code | status | usual words |', '|---|---|---|', ...rows].join('\n');
  assert.ok(
    DOCS.includes(`held by the test -->\n${table}\n<!-- /codes -->`),
    `put this between the marks of docs/api.md:\n${table}`,
  );
  // A code that stands there and is sent by nobody is called reserved, or a program waits for it in vain.
  const own = readSources('src').filter(
    ({ path }) => !isTest(path) && !/^src\/(testing|sandbox|connectors|contracts)\//.test(path),
  );
  const isNamed = (code: string) => own.some(({ text }) => text.includes(`'${code}'`));
  const hasHandlerTimeout = own.some(({ text }) => /\bhandlerTimeout\b/.test(text));
  const unsent = Object.keys(ERROR_CATALOGUE).filter(
    (code) => !isNamed(code) || (code === 'TIMEOUT' && !hasHandlerTimeout),
  );
  const [reserved = ''] = /^Reserved.*$/m.exec(DOCS) ?? [];
  assert.deepEqual(
    unsent.filter((code) => !reserved.includes(`\`${code}\``)),
    [],
    'docs/api.md calls it reserved',
  );
  assert.deepEqual(
    Object.keys(ERROR_CATALOGUE).filter(
      (code) => reserved.split(':')[0]?.includes(`\`${code}\``) && !unsent.includes(code),
    ),
    [],
    'it is sent, and not reserved',
  );
  const thrown = readSources('src')
    .filter(({ path }) => !isTest(path) && !path.startsWith('src/sandbox/'))
    .flatMap(({ text }) =>
      [...text.matchAll(/new (?:Refusal|AppError)\(\s*'([A-Z_]+)'/g)].map(([, code = '']) => code),
    );
  assert.ok(thrown.length > 50);
  assert.deepEqual(
    [...new Set(thrown)].filter((code) => !(code in ERROR_CATALOGUE)),
    [],
  );
});

test('docs/api.md names every event that can be asked for', () => {
  assert.deepEqual(
    ENDPOINT_EVENTS.filter((event) => !DOCS.includes(`\`${event}\``)),
    [],
  );
});

async function startReceiver(): Promise<AsyncDisposable & { readonly url: string; readonly got: Received[] }> {
  const got: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}/hooks`, got },
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
