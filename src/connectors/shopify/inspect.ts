import { ConnectorError } from '../../model/connector-error.ts';
import type { Finding, FindingLevel, StoreInfo } from '../../model/store-info.ts';
import type { Clock } from '../../ports/clock.ts';
import { sentence } from '../shared/sentence.ts';
import { explainUnreachable } from '../shared/unreachable.ts';
import { allLocations } from './all-locations.ts';
import { API_VERSION, versionNotice } from './api-version.ts';
import type { ShopifyClient } from './client.ts';
import { inspectWebhooks } from './inspect-webhooks.ts';
import { OPERATIONS } from './operations.gen.ts';
import type { Publisher } from './publisher.ts';
import { shopOrigin } from './shop-domain.ts';
import { chooseLocation, locationGid } from './store-context.ts';
import { WEIGHT_UNITS } from './weight.ts';
import { InspectAnswer, InspectCatalogueAnswer, type LocationRow } from './wire.ts';

export interface InspectOptions {
  readonly client: ShopifyClient;
  readonly clock: Clock;
  readonly publisher: Publisher;
  /** null: a local store, whose domain says nothing. */
  readonly shopDomain: string | null;
  readonly locationId: string | null;
  readonly hasWebhookSecret: boolean;
  readonly apiVersion: string;
  /** Where webhooks are to come; null: no store can reach this server; undefined: not looked at. */
  readonly callbackUrl: string | null | undefined;
}

/** `write_x` includes `read_x`. */
export const REQUIRED_SCOPES: Readonly<Record<string, string>> = {
  read_products: 'reads products, prices and options',
  write_products: 'writes products, prices and options',
  read_inventory: 'reads stock',
  write_inventory: 'writes stock',
  read_locations: 'finds the place that stock is kept at',
};
export const OPTIONAL_SCOPES: Readonly<Record<string, string>> = {
  read_publications: 'finds the online store',
  write_publications: 'makes new products visible in the online store',
};
const SKEW_WARNING_MS = 60_000;
const SCOPE_REMEDY =
  'In the Dev Dashboard open the app, add the scope to a new version, release it and accept it on the shop. (App made in the shop’s admin: Settings, Apps, Develop apps, API scopes.)';

/** Never throws [C14]: what fails becomes an `error` finding. */
export async function inspect(
  options: InspectOptions,
  signal?: AbortSignal,
): Promise<{ info: StoreInfo | null; findings: Finding[] }> {
  const findings: Finding[] = [];
  const add = (code: string, level: FindingLevel, message: string, remedy = '') =>
    findings.push({ code, level, message, remedy });
  try {
    const info = await read(options, add, signal);
    return { info, findings };
  } catch (error) {
    const [code, message, remedy] = failure(error, options.shopDomain);
    add(code, 'error', message, remedy);
    return { info: null, findings };
  }
}

type Add = (code: string, level: FindingLevel, message: string, remedy?: string) => void;

async function read(options: InspectOptions, add: Add, signal: AbortSignal | undefined): Promise<StoreInfo> {
  const { client } = options;
  const answer = await client.call(OPERATIONS.inspect, {}, InspectAnswer, { signal });
  const { shop } = answer;
  add('REACHABLE', 'ok', `The shop “${shop.name}” answers.`);
  add('CREDENTIALS_VALID', 'ok', 'The access token is valid.');
  if (options.shopDomain !== null && options.shopDomain !== shop.myshopifyDomain) {
    const message = `This shop’s permanent address is ${shop.myshopifyDomain}, not ${options.shopDomain}.`;
    add('DOMAIN_DIFFERS', 'warning', message, `Connect the store as ${shop.myshopifyDomain}.`);
  }
  const missing = checkScopes(
    answer.currentAppInstallation.accessScopes.map(({ handle }) => handle),
    add,
  );
  checkVersion(options, answer.publicApiVersions, add);

  const withLocations = !missing.has('read_locations');
  const withProducts = !missing.has('read_products');
  const catalogue =
    withLocations || withProducts
      ? await client.call(OPERATIONS.inspectCatalogue, { withLocations, withProducts }, InspectCatalogueAnswer, {
          signal,
          tolerates: (error) => error.path?.[0] === 'productsCount',
        })
      : {};
  const locations = catalogue.locations ? await allLocations(client, catalogue.locations, signal) : [];
  if (withLocations) checkLocation(options.locationId, locations, add);
  if (!options.hasWebhookSecret) {
    const message = 'Without the app’s API secret no webhook can be checked, so changes are only found by polling.';
    add(
      'WEBHOOK_SECRET_MISSING',
      'warning',
      message,
      'Enter the API secret key of the app (Dev Dashboard: the client secret).',
    );
  }
  if ((await options.publisher.look({ signal })) === 'no_online_store') {
    const message = 'This shop has no online store channel, so new products are published nowhere.';
    add('ONLINE_STORE_MISSING', 'warning', message, 'Add the Online Store channel, or publish new products by hand.');
  }
  const { clockSkewMs } = client.observed();
  const chosen = chooseLocation(locations)?.id;
  checkClock(clockSkewMs, options.clock, add);
  add('CURRENCY', 'ok', `Prices are in ${shop.currencyCode}.`);
  add('TAX_BASIS', 'ok', shop.taxesIncluded ? 'Prices are entered with tax.' : 'Prices are entered without tax.');
  add('WEIGHT_UNIT', 'ok', `Weights are in ${WEIGHT_UNITS[shop.weightUnit] ?? 'kg'}.`);
  add('TIME_ZONE', 'ok', `The shop’s time zone is ${shop.ianaTimezone}.`);
  if (options.hasWebhookSecret && options.callbackUrl !== undefined) {
    const about = await inspectWebhooks(client, options.callbackUrl, options.shopDomain === null, signal);
    add(about.code, about.level, about.message, about.remedy);
  }
  return {
    identity: shop.myshopifyDomain,
    name: shop.name,
    currency: shop.currencyCode,
    timeZone: shop.ianaTimezone,
    pricesIncludeTax: shop.taxesIncluded,
    weightUnit: WEIGHT_UNITS[shop.weightUnit] ?? 'kg',
    version: client.observed().served ?? options.apiVersion,
    productCount: catalogue.productsCount?.count ?? null,
    locations: locations.map(({ id, name, isActive }) => ({ id, name, isActive, isDefault: id === chosen })),
    clockSkewMs,
  };
}

function checkScopes(granted: readonly string[], add: Add): Set<string> {
  const held = new Set(granted.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]));
  const missing = new Set(Object.keys(REQUIRED_SCOPES).filter((scope) => !held.has(scope)));
  for (const scope of missing) {
    add(
      `SCOPE_MISSING_${scope.toUpperCase()}`,
      'error',
      `The app lacks the scope ${scope}, which ${REQUIRED_SCOPES[scope]}.`,
      SCOPE_REMEDY,
    );
  }
  for (const [scope, purpose] of Object.entries(OPTIONAL_SCOPES)) {
    if (held.has(scope)) continue;
    add(
      `SCOPE_MISSING_${scope.toUpperCase()}`,
      'warning',
      `The app lacks the scope ${scope}, which ${purpose}. New products must be published by hand.`,
      SCOPE_REMEDY,
    );
  }
  if (missing.size === 0) add('SCOPES_GRANTED', 'ok', 'The app has every permission that it needs.');
  return missing;
}

function checkVersion(
  options: InspectOptions,
  versions: readonly { readonly handle: string; readonly supported: boolean }[],
  add: Add,
): void {
  const { served, deprecatedReason } = options.client.observed();
  const update = 'Update this program to a release that speaks a newer API version.';
  if (served !== null && served !== options.apiVersion) {
    add(
      'API_VERSION_DIFFERS',
      'error',
      `Shopify answers in API version ${served} although ${options.apiVersion} was asked for.`,
      update,
    );
  } else if (versions.some(({ handle, supported }) => handle === options.apiVersion && !supported)) {
    add(
      'API_VERSION_UNSUPPORTED',
      'warning',
      `Shopify does not list API version ${options.apiVersion} as supported.`,
      update,
    );
  } else {
    add('API_VERSION_SERVED', 'ok', `Shopify answers in API version ${options.apiVersion}.`);
  }
  if (deprecatedReason !== null)
    add('API_USE_DEPRECATED', 'warning', `Shopify calls a use of its API deprecated: ${deprecatedReason}`, update);
  const notice = options.apiVersion === API_VERSION.handle ? versionNotice(options.clock.now()) : null;
  if (notice !== null) add('API_VERSION_EXPIRES', notice.level, notice.message, update);
}

function checkLocation(locationId: string | null, locations: readonly LocationRow[], add: Add): void {
  const mapped =
    locationId === null ? chooseLocation(locations) : locations.find(({ id }) => id === locationGid(locationId));
  // A linked pair keeps its place [S12].
  const another =
    'A pair that is not linked yet can be given another location; to give a linked one another, delete the pair and link the two stores again.';
  if (locationId === null && !mapped) {
    const remedy = 'Add a location in Shopify, or switch one on.';
    add('LOCATION_MISSING', 'error', 'This shop has no active stock location.', remedy);
  } else if (!mapped) {
    add('LOCATION_MISSING', 'error', 'The mapped stock location no longer exists in this shop.', another);
  } else if (!mapped.isActive) {
    add(
      'LOCATION_INACTIVE',
      'error',
      `The mapped stock location “${mapped.name}” is switched off.`,
      `Switch it on in Shopify: it goes on by itself. ${another}`,
    );
  } else {
    add('LOCATION_FOUND', 'ok', `Stock is kept at “${mapped.name}”.`);
  }
}

function checkClock(clockSkewMs: number | null, clock: Clock, add: Add): void {
  if (clockSkewMs === null) return;
  // What a person sees of this machine's clock, which our time may still be on its way to.
  const aheadMs = clockSkewMs + clock.now() - clock.wallNow();
  if (Math.abs(aheadMs) < SKEW_WARNING_MS) {
    add('CLOCK', 'ok', 'This machine’s clock agrees with Shopify’s.');
    return;
  }
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const message = `This machine’s clock is ${minutes} minute(s) ${aheadMs > 0 ? 'behind' : 'ahead of'} Shopify’s.`;
  add(
    'CLOCK_SKEW',
    'warning',
    message,
    'Switch on time synchronisation (NTP) on the machine that this program runs on.',
  );
}

/** A failure of the doctor's own calls, for a merchant: its name, what it means, what to do. */
function failure(error: unknown, shopDomain: string | null): [code: string, message: string, remedy: string] {
  if (!(error instanceof ConnectorError))
    return ['INSPECTION_FAILED', 'The shop could not be read.', 'Try again; report it if it stays.'];
  const { platformCode = '' } = error.details;
  const said = sentence(error.message);
  switch (error.kind) {
    case 'unauthorized':
      if (platformCode === 'shop_not_permitted') {
        const remedy =
          'Make the app in the organisation that owns the shop and connect with its client ID and secret, or with the Admin API token of a custom app that the shop has had since before 2026.';
        return ['CREDENTIALS_OTHER_ORGANISATION', said, remedy];
      }
      return [
        'CREDENTIALS_REFUSED',
        // Whoever connects a shop has had no token that was taken before.
        platformCode === 'HTTP_401' ? 'Shopify does not accept these credentials for this shop.' : said,
        'Check the shop’s address and the credentials, and that the app is installed on this shop.',
      ];
    case 'rate_limited':
      return ['RATE_LIMITED', said, 'The shop is being asked too much just now; try again in a minute.'];
    case 'malformed':
      return [
        'ANSWER_NOT_UNDERSTOOD',
        said,
        'Something between here and Shopify changes its answers; check proxies and the address.',
      ];
    case 'timeout':
    case 'unavailable':
      return unreachable(platformCode, said, shopDomain);
    default:
      return ['INSPECTION_FAILED', said, 'Try again; report it if it stays.'];
  }
}

/** Shopify's servers are set up well: what is wrong on the way there is wrong with the address, or on our side. */
function unreachable(
  platformCode: string,
  said: string,
  shopDomain: string | null,
): [code: string, message: string, remedy: string] {
  const told = shopDomain === null ? null : explainUnreachable(platformCode, shopOrigin(shopDomain));
  const message = told === null ? said : sentence(told.words);
  if (told !== null && /^(?:CERTIFICATE|NOT_HTTP|TLS)/.test(told.code)) {
    const remedy = `Something between this server and Shopify answers in its place (a proxy, a virus scanner, a guest network): have it leave ${shopDomain} alone.`;
    return [told.code, message, remedy];
  }
  const remedy =
    'Check the shop’s address, and that this machine can reach Shopify (DNS, firewall, status.shopify.com).';
  return ['UNREACHABLE', message, remedy];
}
