import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { createWooSandbox, type WooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import type { WooSandboxOptions } from '../../sandbox/woocommerce/options.ts';
import { SeededRandom, seededRandomPort } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { type Transport, TransportError } from '../shared/transport.ts';
import { createWooConnector, type WooConnectorOptions } from './connector.ts';
import { explainFailure } from './explain-failure.ts';

const closers: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closers) await close();
});

interface Opening {
  readonly sandbox?: WooSandboxOptions;
  readonly connector?: Partial<WooConnectorOptions>;
  /** The Date header's distance from our clock. */
  readonly skewMs?: number;
}

async function openStore({ sandbox: options = {}, connector: more = {}, skewMs = 0 }: Opening = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 21, 12));
  const stop = clock.autoRun();
  const sandbox = createWooSandbox({
    siteUrl: 'https://shop.example',
    requireHttps: true,
    environment: { now: () => clock.now() + skewMs },
    ...options,
  });
  await sandbox.app.ready();
  closers.push(async () => {
    stop();
    await sandbox.close();
  });
  const urls: string[] = [];
  const connector = createWooConnector({
    url: 'https://shop.example',
    consumerKey: 'ck_sandbox',
    consumerSecret: 'cs_sandbox',
    webhookSecrets: ['secret'],
    clock,
    random: seededRandomPort(new SeededRandom('doctor'), clock),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    transport: overWire(sandbox, urls, () => clock.now() + skewMs),
    ...more,
  });
  return { sandbox, connector, urls, clock };
}

function overWire(sandbox: WooSandbox, urls: string[], now: () => number): Transport {
  return async (request) => {
    const url = new URL(request.url);
    urls.push(request.url);
    const response = await sandbox.app.inject({
      method: request.method as 'GET',
      url: `${url.pathname}${url.search}`,
      headers: { ...request.headers, ...(url.protocol === 'https:' ? { 'x-forwarded-proto': 'https' } : {}) },
      ...(request.body === undefined ? {} : { payload: request.body as string }),
    });
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    return {
      status: response.statusCode,
      headers: { ...headers, date: new Date(now()).toUTCString() },
      body: response.rawPayload,
    };
  };
}

async function diagnose(opening: Opening, callbackUrl?: string | null) {
  const { connector, urls } = await openStore(opening);
  const { info, findings } = await connector.inspect(undefined, callbackUrl);
  for (const finding of findings) {
    assert.match(finding.code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
    assert.ok(finding.message.length > 10);
    if (finding.level !== 'ok') assert.ok(finding.remedy.length > 10, finding.code);
  }
  const level = (code: string) => findings.find((finding) => finding.code === code)?.level ?? 'absent';
  return { info, level, findings, urls };
}

test('[C14] a sound store: what it says about itself, and no complaint', async () => {
  const { info, findings } = await diagnose({
    sandbox: { weightUnit: 'lbs', currency: 'EUR', pricesIncludeTax: true, calcTaxes: true },
  });
  assert.deepEqual(info, {
    identity: 'shop.example',
    name: 'Sandbox store',
    currency: 'EUR',
    timeZone: 'America/New_York',
    pricesIncludeTax: true,
    weightUnit: 'lb',
    version: '10.5.0',
    productCount: 0,
    locations: [{ id: 'default', name: 'Sandbox store', isActive: true }],
    clockSkewMs: 0,
  });
  assert.deepEqual(
    findings.filter((finding) => finding.level !== 'ok'),
    [],
  );
  assert.deepEqual(
    findings.map((finding) => finding.code),
    ['REACHABLE', 'HTTPS', 'CLOCK', 'VERSION', 'CURRENCY', 'TAX_BASIS', 'WEIGHT_UNIT', 'TIME_ZONE', 'KEY_READ_WRITE'],
  );
});

test('[C14] keys: unknown, wrong secret, read only', async () => {
  const unknown = await diagnose({ connector: { consumerKey: 'ck_unknown' } });
  assert.equal(unknown.level('KEY_UNKNOWN'), 'error');
  assert.equal(unknown.info, null);
  assert.equal((await diagnose({ connector: { consumerSecret: 'cs_wrong' } })).level('SECRET_WRONG'), 'error');
  const keys = [{ key: 'ck_sandbox', secret: 'cs_sandbox', permissions: 'read' as const }];
  const readOnly = await diagnose({ sandbox: { keys } });
  assert.equal(readOnly.level('KEY_READ_ONLY'), 'error');
  assert.ok(readOnly.info);
});

test('[C14] the address: redirects, no WordPress, a folder, no encryption', async () => {
  const moved = await diagnose({ sandbox: { redirectTo: 'https://www.shop.example' } });
  assert.equal(moved.level('REDIRECTED'), 'error');
  assert.match(moved.findings[0]?.remedy ?? '', /https:\/\/www\.shop\.example$/);
  assert.equal((await diagnose({ sandbox: { basePath: '/store' } })).level('NOT_WORDPRESS'), 'error');
  const folder = await diagnose({
    sandbox: { basePath: '/store' },
    connector: { url: 'shop.example/store/wp-admin/' },
  });
  assert.equal(folder.level('REACHABLE'), 'ok');
  const sandbox = { requireHttps: false };
  assert.equal((await diagnose({ sandbox, connector: { url: 'http://shop.lan' } })).level('NO_HTTPS'), 'warning');
  const near = await diagnose({ sandbox, connector: { url: 'http://127.0.0.1:8080' } });
  assert.deepEqual([near.level('NO_HTTPS'), near.level('THIS_MACHINE')], ['absent', 'ok']);
});

test('[C14] a shop on this machine without encryption: requests are signed, and the same things are found', async () => {
  // Known to itself by another name than the one it is asked by, as in a container.
  const sandbox = { siteUrl: 'http://localhost:8000', requireHttps: true };
  const ask = (connector: Partial<WooConnectorOptions>, more: WooSandboxOptions = {}) =>
    diagnose({ sandbox: { ...sandbox, ...more }, connector: { url: 'http://127.0.0.1:8000', ...connector } });
  const sound = await ask({});
  assert.deepEqual([sound.level('REACHABLE'), sound.level('KEY_READ_WRITE')], ['ok', 'ok']);
  assert.ok(sound.urls.every((url) => !url.includes('cs_sandbox')));
  assert.equal((await ask({ consumerKey: 'ck_unknown' })).level('KEY_UNKNOWN'), 'error');
  assert.equal((await ask({ consumerSecret: 'cs_wrong' })).level('SECRET_WRONG'), 'error');
  const key = (permissions: 'read' | 'write') => ({ keys: [{ key: 'ck_sandbox', secret: 'cs_sandbox', permissions }] });
  assert.equal((await ask({}, key('read'))).level('KEY_READ_ONLY'), 'error');
  assert.equal((await ask({}, key('write'))).level('KEY_WRITE_ONLY'), 'error');
  const plain = await ask({}, { prettyPermalinks: false });
  assert.deepEqual([plain.level('PLAIN_PERMALINKS'), plain.level('KEY_READ_WRITE')], ['warning', 'ok']);
  const page = await ask({ url: 'http://localhost:8000/shop/' });
  assert.equal(page.level('ADDRESS_IS_A_PAGE'), 'error');
  assert.equal(page.level('PLAIN_PERMALINKS'), 'absent', 'only a page of it answers by the detour alone');
});

test('[C14] what is signed needs no encryption, so an unknown key is not put down to it', () => {
  const refused = new ConnectorError('unauthorized', 'refused', {
    platformCode: 'woocommerce_rest_authentication_error',
    platformMessage: 'Consumer key is invalid.',
  });
  const near = explainFailure(refused, 'http://127.0.0.1:8000');
  assert.equal(near.code, 'KEY_UNKNOWN');
  assert.doesNotMatch(`${near.message} ${near.remedy}`, /encryption|proxy/i);
  assert.match(explainFailure(refused, 'https://shop.example').remedy, /X-Forwarded-Proto/);
});

test('[C14] a cache that keeps the answers of the API is told of', async () => {
  for (const [headers, level] of [
    [{ 'x-litespeed-cache': 'miss' }, 'warning'],
    [{ 'cf-cache-status': 'HIT' }, 'warning'],
    [{ 'cf-cache-status': 'DYNAMIC' }, 'absent'],
  ] as const) {
    const { sandbox, clock } = await openStore();
    const plain = overWire(sandbox, [], () => clock.now());
    const transport: Transport = async (request) => {
      const answer = await plain(request);
      return { ...answer, headers: { ...answer.headers, ...headers } };
    };
    assert.equal((await diagnose({ connector: { transport, clock } })).level('ANSWERS_CACHED'), level);
  }
});

test('[C14] hosts: header dropped, plain permalinks, maintenance, clock, old version, stock management off', async () => {
  const stripped = await diagnose({ sandbox: { stripAuthorization: true } });
  assert.equal(stripped.level('AUTHORIZATION_STRIPPED'), 'warning');
  assert.ok(stripped.info);
  assert.equal((await diagnose({})).urls.filter((url) => url.includes('cs_sandbox')).length, 0);
  const permalinks = await diagnose({ sandbox: { prettyPermalinks: false } });
  assert.equal(permalinks.level('PLAIN_PERMALINKS'), 'warning');
  assert.ok(permalinks.info);
  assert.equal((await diagnose({ sandbox: { maintenance: true } })).level('MAINTENANCE'), 'error');
  const late = await diagnose({ skewMs: -900_000 });
  assert.equal(late.level('CLOCK_SKEW'), 'warning');
  assert.ok(Math.abs((late.info?.clockSkewMs ?? 0) + 900_000) < 2_000);
  assert.equal((await diagnose({ sandbox: { version: '10.2.1' } })).level('VERSION_SLOW'), 'warning');
  assert.equal((await diagnose({ sandbox: { version: '6.9.0' } })).level('VERSION_TOO_OLD'), 'error');
  const { connector, sandbox } = await openStore();
  await sandbox.app.inject({
    method: 'PUT',
    url: '/wp-json/wc/v3/settings/products/woocommerce_manage_stock',
    headers: {
      'x-forwarded-proto': 'https',
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('ck_sandbox:cs_sandbox').toString('base64')}`,
    },
    payload: '{"value":"no"}',
  });
  assert.ok((await connector.inspect()).findings.some(({ code }) => code === 'STOCK_MANAGEMENT_OFF'));
});

/** A sound store where something answers in place of one route. */
async function diagnoseWithout(route: string, answer: { status: number; text: string }) {
  const { sandbox, clock } = await openStore({ sandbox: { calcTaxes: true } });
  const whole = overWire(sandbox, [], () => clock.now());
  const transport: Transport = async (request) => {
    const url = new URL(request.url);
    const asked = url.searchParams.get('rest_route') ?? url.pathname.replace('/wp-json', '');
    if (asked !== `/wc/v3${route}`) return whole(request);
    return { status: answer.status, headers: {}, body: new TextEncoder().encode(answer.text) };
  };
  return diagnose({ connector: { transport } });
}

const GONE = { status: 404, text: '{"code":"rest_no_route","message":"No route","data":{"status":404}}' };
const KEPT_BACK = [
  GONE,
  { status: 404, text: '<!doctype html><h1>Not found</h1>' },
  { status: 403, text: '{"code":"hardened_forbidden","message":"Not for you.","data":{"status":403}}' },
  { status: 403, text: '<h1>Forbidden</h1>' },
  { status: 400, text: '{"code":"hardened","message":"No.","data":{"status":400}}' },
];

test('[C14] a store that keeps its version or its tax basis back can be connected, and what follows is said', async () => {
  for (const answer of KEPT_BACK) {
    const unversioned = await diagnoseWithout('/system_status', answer);
    assert.equal(unversioned.level('VERSION_UNKNOWN'), 'warning');
    assert.deepEqual([unversioned.info?.version, unversioned.info?.identity], ['', 'shop.example']);
    const untaxed = await diagnoseWithout('/settings/tax', answer);
    assert.equal(untaxed.level('TAX_BASIS_UNKNOWN'), 'warning');
    assert.deepEqual([untaxed.level('TAX_BASIS'), untaxed.info?.pricesIncludeTax], ['absent', null]);
    for (const { findings } of [unversioned, untaxed])
      assert.deepEqual(
        findings.filter(({ level }) => level === 'error'),
        [],
      );
  }
  assert.equal((await diagnoseWithout('/settings/tax', { status: 200, text: '[]' })).info?.pricesIncludeTax, null);
  const failing = await diagnoseWithout('/system_status', { status: 500, text: '<h1>Error</h1>' });
  assert.equal(failing.info, null, 'what may pass is asked again');
  assert.equal(failing.level('STORE_FAILED'), 'error');
});

test('[C14] where WordPress has application passwords it takes a key for a user: its index is asked without one, and an unknown key is told as such', async () => {
  const text =
    '{"code":"invalid_username","message":"<strong>Error:</strong> Unknown username.","data":{"status":401}}';
  const refused = { status: 401, headers: {}, body: new TextEncoder().encode(text) };
  const { sandbox, clock } = await openStore();
  const whole = overWire(sandbox, [], () => clock.now());
  const known = await diagnose({
    connector: {
      transport: async (request) => {
        const isKeyed = request.headers['authorization'] !== undefined || request.url.includes('consumer_key');
        return isKeyed && !request.url.includes('/wc/v3') ? refused : whole(request);
      },
    },
  });
  assert.notEqual(known.info?.name ?? '', '');
  assert.equal(known.level('TIME_ZONE'), 'ok');
  const unknown = await diagnose({ connector: { transport: async () => refused } });
  assert.equal(unknown.level('KEY_UNKNOWN'), 'error');
});

test('[C14] taxes that are switched off make no basis: the setting that says so is hidden in the shop then', async () => {
  for (const pricesIncludeTax of [true, false]) {
    const off = await diagnose({ sandbox: { calcTaxes: false, pricesIncludeTax } });
    assert.deepEqual([off.info?.pricesIncludeTax, off.info?.chargesTax], [null, false]);
    assert.deepEqual([off.level('TAX_BASIS'), off.level('TAX_BASIS_UNKNOWN')], ['ok', 'absent']);
    const on = await diagnose({ sandbox: { calcTaxes: true, pricesIncludeTax } });
    assert.deepEqual([on.info?.pricesIncludeTax, on.info?.chargesTax], [pricesIncludeTax, undefined]);
  }
});

test('a version that is kept back later is taken to be what it was', async () => {
  const { sandbox, clock } = await openStore({ sandbox: { version: '8.2.0' } });
  const whole = overWire(sandbox, [], () => clock.now());
  const { connector } = await openStore({
    connector: {
      version: '8.2.0',
      transport: async (request) =>
        request.url.includes('system_status')
          ? { status: GONE.status, headers: {}, body: new TextEncoder().encode(GONE.text) }
          : whole(request),
    },
  });
  const { info, findings } = await connector.inspect();
  assert.equal(info?.version, '8.2.0');
  assert.ok(findings.some(({ code }) => code === 'VERSION_UNKNOWN'));
});

test('[C14] a batch of nothing that is refused for what it says is no word about the key; one that is not served is', async () => {
  const text = '{"code":"rest_missing_callback_param","message":"Missing parameter(s): create","data":{"status":400}}';
  const odd = await diagnoseWithout('/products/batch', { status: 400, text });
  assert.deepEqual(
    odd.findings.filter(({ level }) => level !== 'ok'),
    [],
  );
  assert.deepEqual([odd.level('KEY_READ_WRITE'), odd.level('KEY_READ_ONLY')], ['absent', 'absent']);
  const missing = await diagnoseWithout('/products/batch', GONE);
  assert.ok(missing.findings.some(({ level }) => level === 'error'));
});

test('[C14] what the network says is told apart', async () => {
  const failing =
    (failure: 'tls' | 'dns' | 'refused' | 'timeout', code: string): Transport =>
    async () => {
      throw new TransportError('before_send', failure, 'no', code);
    };
  const codeOf = async (transport: Transport) => {
    const { info, findings } = await diagnose({ connector: { transport } });
    assert.equal(info, null);
    return findings[0]?.code;
  };
  assert.equal(await codeOf(failing('tls', 'DEPTH_ZERO_SELF_SIGNED_CERT')), 'CERTIFICATE_UNTRUSTED');
  assert.equal(await codeOf(failing('tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')), 'CERTIFICATE_UNTRUSTED');
  assert.equal(await codeOf(failing('tls', 'CERT_HAS_EXPIRED')), 'CERTIFICATE_EXPIRED');
  assert.equal(await codeOf(failing('tls', 'ERR_TLS_CERT_ALTNAME_INVALID')), 'CERTIFICATE_WRONG_NAME');
  assert.equal(await codeOf(failing('dns', 'ENOTFOUND')), 'NO_SUCH_HOST');
  assert.equal(await codeOf(failing('refused', 'ECONNREFUSED')), 'UNREACHABLE');
  assert.equal(await codeOf(failing('timeout', '')), 'TIMED_OUT');
  const page =
    (status: number, text: string): Transport =>
    async () => ({ status, headers: {}, body: new TextEncoder().encode(text) });
  assert.equal(await codeOf(page(200, '<html>Welcome</html>')), 'NOT_JSON');
  assert.equal(await codeOf(page(403, '<html>Cloudflare</html>')), 'BLOCKED');
  const notice = '<br />\n<b>Notice</b>: Undefined index in /bad.php<br />\n[]';
  for (const [text, said] of [
    [notice, /“Notice : Undefined index in \/bad\.php \[\]”/],
    ['[]\n<!-- cached by a plugin -->', /“\[\] <!-- cached by a plugin -->”/],
    ['', /a page/],
  ] as const) {
    const [finding] = (await diagnose({ connector: { transport: page(200, text) } })).findings;
    assert.match(finding?.message ?? '', said);
  }
  assert.equal(await codeOf(page(503, '<html>Service unavailable</html>')), 'UNAVAILABLE');
  assert.equal(
    await codeOf(page(500, '<html>There has been a critical error on this website.</html>')),
    'STORE_FAILED',
  );
  assert.equal(await codeOf(page(401, '<html>Authorization required</html>')), 'PASSWORD_PROTECTED');
  const warning = '<br />\n<b>Warning</b>: Undefined variable $x in /a-long-way/bad.php on line 3<br />\n'.repeat(12);
  const refusal = '{"code":"woocommerce_rest_cannot_view","message":"Sorry.","data":{"status":401}}';
  const mixed = page(401, `${warning}${refusal}`);
  assert.equal(await codeOf(mixed), 'NOT_JSON', 'no password stands in front of a store that answers itself');
  const [{ message } = { message: '' }] = (await diagnose({ connector: { transport: mixed } })).findings;
  assert.match(message, /answers with “Warning : Undefined variable/);
  const sentOn =
    (location: string): Transport =>
    async () => ({ status: 302, headers: { location }, body: new Uint8Array() });
  assert.equal(await codeOf(sentOn('https://shop.example/wp-login.php')), 'SIGN_IN_PAGE');
  assert.equal(await codeOf(sentOn('https://shop.example/wp-json/wc/v3/products/')), 'API_REDIRECTED');
  assert.equal(await codeOf(sentOn('https://www.shop.example/wp-json/wc/v3/products')), 'REDIRECTED');
  assert.equal(await codeOf(sentOn('https://shop.example/wp-json/wc/v3/products')), 'REDIRECTED_IN_A_CIRCLE');
  assert.equal(
    await codeOf(sentOn('http://shop.example/wp-json/wc/v3/products')),
    'REDIRECTED_TO_HTTP',
    'advised to connect by http, people were refused for that next',
  );
  const closed = '{"code":"rest_login_required","message":"Only members.","data":{"status":401}}';
  assert.equal(await codeOf(page(401, closed)), 'API_CLOSED', 'said of a key, people made new keys in vain');
  assert.equal(
    await codeOf(page(404, '{"code":"rest_no_route","message":"No route","data":{"status":404}}')),
    'NOT_WOOCOMMERCE',
  );
});

test('[C14] an address that is not called is told as such: in a browser it may well open', () => {
  const refused = new ConnectorError('unavailable', 'only https addresses can be called', {
    platformCode: 'ADDRESS_REFUSED',
  });
  const plain = explainFailure(refused, 'http://shop.example');
  assert.equal(plain.code, 'HTTPS_NEEDED');
  assert.match(`${plain.message} ${plain.remedy}`, /not encrypted.* by its https:\/\/ address/);
  const inside = explainFailure(refused, 'https://10.0.0.1');
  assert.equal(inside.code, 'ADDRESS_NOT_PUBLIC');
  assert.match(inside.remedy, /on the internet/);
  const unknown = new ConnectorError('unavailable', 'no such host', { platformCode: 'ENOTFOUND' });
  assert.match(explainFailure(unknown, 'https://shop.example').message, /by the name of shop\.example\./);
});

async function switchOff(sandbox: WooSandbox, hookId: number): Promise<void> {
  await sandbox.app.inject({
    method: 'PUT',
    url: `/wp-json/wc/v3/webhooks/${hookId}`,
    headers: {
      'x-forwarded-proto': 'https',
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('ck_sandbox:cs_sandbox').toString('base64')}`,
    },
    payload: '{"status":"disabled"}',
  });
}

test('[C14] webhooks: targets that WordPress refuses, and hooks that it has switched off', async () => {
  const callback = (callbackUrl: string | null) => diagnose({}, callbackUrl);
  assert.equal((await callback(null)).level('WEBHOOKS_NO_ADDRESS'), 'warning');
  assert.equal((await callback('https://sync.example/h')).level('WEBHOOKS_DELIVERABLE'), 'ok');
  assert.deepEqual(
    (await diagnose({})).findings.filter(({ code }) => code.startsWith('WEBHOOKS')),
    [],
    'nobody asked',
  );
  for (const url of ['https://192.168.1.9/h', 'http://localhost/h', 'https://sync.example:3000/h']) {
    assert.equal((await callback(url)).level('WEBHOOKS_UNDELIVERABLE'), 'warning', url);
  }
  assert.equal((await callback('https://sync.example/h')).level('WEBHOOKS_UNDELIVERABLE'), 'absent');
  const local = async (callbackUrl: string) => {
    const sandbox = { siteUrl: 'http://127.0.0.1:9000', requireHttps: true };
    const found = await diagnose({ sandbox, connector: { url: 'http://127.0.0.1:9000' } }, callbackUrl);
    return found.level('WEBHOOKS_UNDELIVERABLE');
  };
  // Its own host may be private, but not on any port.
  assert.equal(await local('http://127.0.0.1:8080/h'), 'absent');
  assert.equal(await local('http://127.0.0.1:9000/h'), 'absent');
  assert.equal(await local('http://127.0.0.1:3000/h'), 'warning');
  const { connector, sandbox } = await openStore();
  const url = 'https://sync.example/hooks/1';
  assert.deepEqual(await connector.ensureWebhooks(url), { active: 4, repaired: 4 });
  assert.ok((await connector.inspect(undefined, url)).findings.some(({ code }) => code === 'WEBHOOKS'));
  const [hook] = sandbox.controls.webhooks();
  await switchOff(sandbox, hook!.id);
  assert.ok((await connector.inspect(undefined, url)).findings.some(({ code }) => code === 'WEBHOOKS_DISABLED'));
  assert.deepEqual(await connector.ensureWebhooks(url), { active: 4, repaired: 1 });
  assert.equal(
    sandbox.controls.webhooks().find(({ id }) => id === hook!.id),
    undefined,
    'made anew, not re-activated',
  );
});

test('[C14] hooks that were switched off are told of also where WordPress does not deliver by its rules', async () => {
  const { connector, sandbox } = await openStore();
  const url = 'http://192.168.1.9:3000/hooks/1';
  await connector.ensureWebhooks(url);
  const codes = async () =>
    (await connector.inspect(undefined, url)).findings
      .map(({ code }) => code)
      .filter((code) => code.includes('WEBHOOKS'));
  assert.deepEqual(await codes(), ['WEBHOOKS_UNDELIVERABLE', 'WEBHOOKS']);
  const [hook] = sandbox.controls.webhooks();
  await switchOff(sandbox, hook!.id);
  assert.deepEqual(await codes(), ['WEBHOOKS_UNDELIVERABLE', 'WEBHOOKS_DISABLED']);
});

test('a new secret is given to webhooks that are there', async () => {
  const { connector, sandbox, clock } = await openStore();
  const url = 'https://sync.example/hooks/1';
  await connector.ensureWebhooks(url);
  const before = sandbox.controls.webhooks().map(({ id }) => id);
  const sent: string[] = [];
  const rotated = createWooConnector({
    url: 'https://shop.example',
    consumerKey: 'ck_sandbox',
    consumerSecret: 'cs_sandbox',
    webhookSecrets: ['newer', 'secret'],
    clock,
    random: seededRandomPort(new SeededRandom('r'), clock),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    transport: (request) => {
      if (request.method === 'PUT') sent.push(String(request.body));
      return overWire(sandbox, [], () => clock.now())(request);
    },
  });
  assert.deepEqual(await rotated.ensureWebhooks(url), { active: 4, repaired: 0 });
  assert.equal(sent.length, 4);
  assert.ok(sent.every((body) => JSON.parse(body).secret === 'newer'));
  assert.deepEqual(
    sandbox.controls.webhooks().map(({ id }) => id),
    before,
  );
  await rotated.ensureWebhooks(url);
  assert.equal(sent.length, 4, 'once');
});
