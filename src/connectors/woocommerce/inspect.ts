import { ConnectorError } from '../../model/connector-error.ts';
import type { Finding, FindingLevel, StoreInfo } from '../../model/store-info.ts';
import { parseUrl } from '../shared/parse-url.ts';
import { checkFirewall } from './check-firewall.ts';
import { type Add, checkBarcodes, checkVersion } from './check-version.ts';
import { checkWebhooks } from './check-webhooks.ts';
import type { WooClient } from './client.ts';
import { isMissingRoute, unlessKeptBack } from './errors.ts';
import { explainFailure } from './explain-failure.ts';
import { factsOf, readSettings, type Settings, type StoreFacts, unitOf } from './store-facts.ts';
import { checkTaxBasis, readTaxBasis, type TaxBasis, taxOf } from './tax-basis.ts';

/** OAuth refuses requests that are 15 minutes off; cookies and schedules go wrong before. */
const SKEW_WARNING_MS = 120_000;

export interface Inspection {
  readonly info: StoreInfo | null;
  readonly findings: readonly Finding[];
  readonly facts: StoreFacts | null;
}

export interface InspectRequest {
  readonly siteUrl: string;
  /** Of WooCommerce, as it was last read; '' when it never was. It holds while the store does not say. */
  readonly knownVersion: string;
  /** Where webhooks are to come; null: no store can reach this server; undefined: not looked at. */
  readonly callbackUrl: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The doctor [C14]: looks at everything that has to be right for syncing, changes nothing, and says each result in
 * plain words.
 */
export async function inspectStore(client: WooClient, request: InspectRequest): Promise<Inspection> {
  const findings: Finding[] = [];
  const add = (code: string, level: FindingLevel, message: string, remedy = '') => {
    findings.push({ code, level, message, remedy });
  };
  const { siteUrl, signal } = request;
  let read: Reading;
  try {
    read = await readStore(client, signal);
  } catch (error) {
    findings.push(explainFailure(error, siteUrl));
    return { info: null, findings, facts: null };
  }
  add('REACHABLE', 'ok', `The store answers at ${siteUrl}.`);
  let facts: StoreFacts | null = null;
  try {
    facts = factsOf(siteUrl, read.general, read.products, read.version || request.knownVersion);
  } catch (error) {
    findings.push(explainFailure(error, siteUrl));
  }
  const isPage = isPageOfStore(siteUrl, read.home);
  checkConnection(client, siteUrl, isPage, add);
  if (isPage) {
    add(
      'ADDRESS_IS_A_PAGE',
      'error',
      `${siteUrl} is a page of the store, not its address.`,
      `Connect the store by its own address: ${read.home}`,
    );
  }
  checkVersion(read.version, add);
  checkBarcodes(read.version, add);
  checkSettings(read, add);
  await checkPermission(client, siteUrl, findings, signal);
  if (findings.some(({ code }) => code === 'KEY_READ_WRITE')) await checkFirewall(client, add, signal);
  await checkWebhooks(client, request, findings, add);
  const version = read.version || request.knownVersion;
  return { info: facts === null ? null : infoOf(client, { ...read, version }, facts), findings, facts };
}

interface Reading {
  readonly general: Settings;
  readonly products: Settings;
  readonly taxBasis: TaxBasis;
  readonly version: string;
  readonly name: string;
  readonly home: string;
  readonly timeZone: string;
  readonly productCount: number | null;
}

async function readStore(client: WooClient, signal: AbortSignal | undefined): Promise<Reading> {
  const count = await client.get('/products', { query: { per_page: 1, status: 'any', _fields: 'id' }, signal });
  if (!Array.isArray(count.data))
    throw new ConnectorError('malformed', 'the WooCommerce store answered with something other than products');
  const general = await readSettings(client, 'general', signal);
  const products = await readSettings(client, 'products', signal);
  // Nothing is read or written by these two: a store that keeps them back can be worked with.
  const taxBasis = await readTaxBasis(client, general, signal);
  const query = { _fields: 'environment' };
  const status = await unlessKeptBack(client.get('/system_status', { query, signal }));
  const environment = (status?.data as { environment?: Record<string, unknown> } | null)?.environment ?? {};
  const index = await readIndex(client, signal);
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const total = Number(count.headers['x-wp-total']);
  const home = text(environment['home_url']) || text(index['home']) || text(index['url']);
  return {
    general,
    products,
    taxBasis,
    version: text(environment['version']),
    name: text(index['name']),
    home: home.replace(/\/+$/, ''),
    timeZone: text(index['timezone_string']) || offsetName(index['gmt_offset']),
    productCount: count.headers['x-wp-total'] !== undefined && Number.isSafeInteger(total) ? total : null,
  };
}

/** WordPress' own index; security plugins close it, and nothing that it says is needed to sync. */
async function readIndex(client: WooClient, signal: AbortSignal | undefined): Promise<Record<string, unknown>> {
  try {
    const query = { _fields: 'name,url,home,timezone_string,gmt_offset' };
    const { data } = await client.get('/', { query, isRoot: true, signal });
    return (data as Record<string, unknown> | null) ?? {};
  } catch (error) {
    if (error instanceof ConnectorError) return {};
    throw error;
  }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function checkConnection(client: WooClient, siteUrl: string, isPage: boolean, add: Add): void {
  const { authMode, isPlainPermalinks, wallSkewMs, isCached } = client.state;
  if (siteUrl.startsWith('https:')) add('HTTPS', 'ok', 'The connection is encrypted.');
  else if (LOOPBACK.test(new URL(siteUrl).hostname))
    add('THIS_MACHINE', 'ok', 'The store runs on this machine: nothing that is sent leaves it.');
  else {
    const remedy = 'Give the store a certificate (most hosts do it for free) and connect it by its https:// address.';
    add(
      'NO_HTTPS',
      'warning',
      'The store is reached without encryption: others on the way can read what is sent.',
      remedy,
    );
  }
  if (authMode === 'query') {
    const remedy = 'Ask your host to pass the Authorization header to PHP (CGIPassAuth On, or a rewrite rule).';
    add(
      'AUTHORIZATION_STRIPPED',
      'warning',
      'Your host drops the Authorization header, so the key travels in the address of each request, inside the encryption. It may show up in the log of your web server.',
      remedy,
    );
  }
  if (isCached) {
    const remedy =
      'Exclude /wp-json/ in the cache (LiteSpeed Cache: Cache, Excludes, Do Not Cache URIs; or switch "Cache REST API" off).';
    add(
      'ANSWERS_CACHED',
      'warning',
      'A cache keeps what the store answers. We ask past it, and each answer of ours takes room in it.',
      remedy,
    );
  }
  // Below one of its pages every store answers by the detour alone, whatever its permalinks.
  if (isPlainPermalinks && !isPage) {
    const remedy = 'In WordPress open Settings, Permalinks and choose "Post name".';
    add('PLAIN_PERMALINKS', 'warning', 'The store uses plain permalinks. It works, by a detour.', remedy);
  }
  if (wallSkewMs !== null && Math.abs(wallSkewMs) <= SKEW_WARNING_MS)
    add('CLOCK', 'ok', 'The clock of the store agrees with ours.');
  else if (wallSkewMs !== null) {
    const minutes = Math.round(Math.abs(wallSkewMs) / 60_000);
    const way = wallSkewMs > 0 ? 'ahead of' : 'behind';
    add(
      'CLOCK_SKEW',
      'warning',
      `The clock of the store is ${minutes} minutes ${way} ours. This is allowed for.`,
      'Ask your host to set the time of the server (NTP).',
    );
  }
}

/** WordPress answers the API's detour at any of its pages, so a page that was pasted as the address would go unnoticed. */
function isPageOfStore(siteUrl: string, home: string): boolean {
  const [asked, own] = [parseUrl(siteUrl), parseUrl(home)];
  if (asked === null || own === null || asked.host !== own.host) return false;
  const ownPath = own.pathname.replace(/\/+$/, '');
  return asked.pathname.startsWith(`${ownPath}/`) && asked.pathname.replace(/\/+$/, '') !== ownPath;
}

function checkSettings(read: Reading, add: Add): void {
  const currency = read.general.get('woocommerce_currency');
  if (typeof currency === 'string') add('CURRENCY', 'ok', `Prices are in ${currency}.`);
  checkTaxBasis(read.taxBasis, add);
  const unit = read.products.get('woocommerce_weight_unit');
  if (typeof unit === 'string') add('WEIGHT_UNIT', 'ok', `Weights are in ${unit}.`);
  if (read.timeZone !== '') add('TIME_ZONE', 'ok', `The store's time zone is ${read.timeZone}.`);
  if (read.products.get('woocommerce_manage_stock') === 'no') {
    const remedy = 'In WooCommerce open Settings, Products, Inventory and switch "Enable stock management" on.';
    add(
      'STOCK_MANAGEMENT_OFF',
      'error',
      'Stock management is switched off for the whole store: WooCommerce ignores every stock number.',
      remedy,
    );
  }
}

/** A batch of nothing needs the right to write and does nothing. */
async function checkPermission(
  client: WooClient,
  siteUrl: string,
  findings: Finding[],
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await client.send('POST', '/products/batch', {}, { intent: 'read', signal });
    findings.push({ code: 'KEY_READ_WRITE', level: 'ok', message: 'The key may read and write.', remedy: '' });
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'unauthorized') {
      const message = 'The key may only read.';
      const remedy =
        'In WooCommerce open Settings, Advanced, REST API, edit the key and give it "Read/Write" permission.';
      findings.push({ code: 'KEY_READ_ONLY', level: 'error', message, remedy });
      return;
    }
    // That a batch of nothing is refused for what it says is no word about the key.
    if (error instanceof ConnectorError && error.kind === 'rejected' && !isMissingRoute(error)) return;
    findings.push(explainFailure(error, siteUrl));
  }
}

function infoOf(client: WooClient, read: Reading, facts: StoreFacts): StoreInfo {
  const home = parseUrl(read.home);
  return {
    // The shop's own home address: the same through whichever address it was connected by.
    identity: home
      ? `${home.host}${home.pathname.replace(/\/+$/, '')}`.toLowerCase()
      : facts.siteUrl.replace(/^https?:\/\//, ''),
    name: read.name,
    currency: facts.currency,
    timeZone: read.timeZone || 'UTC',
    ...taxOf(read.taxBasis),
    weightUnit: unitOf(facts),
    version: read.version,
    productCount: read.productCount,
    locations: [{ id: 'default', name: read.name || 'Store', isActive: true }],
    clockSkewMs: client.state.clockSkewMs,
  };
}

/** -5 -> "UTC-05:00": sites may be set to an offset instead of a place. */
function offsetName(hours: unknown): string {
  const offset = Number(hours ?? Number.NaN);
  if (!Number.isFinite(offset)) return '';
  const minutes = Math.round(Math.abs(offset) * 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return `UTC${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
