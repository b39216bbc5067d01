import { type Environment, realEnvironment } from './environment.ts';

export type KeyPermission = 'read' | 'write' | 'read_write';

export interface ApiKey {
  readonly key: string;
  readonly secret: string;
  readonly permissions: KeyPermission;
}

/** How the host in front of WordPress treats a request; can be changed while the store runs. */
export interface HostBehaviour {
  /** Basic and query auth are ignored unless the request came over TLS, told by `X-Forwarded-Proto: https`. */
  requireHttps: boolean;
  /** Some hosts never hand the Authorization header to PHP. */
  stripAuthorization: boolean;
  /** Every request is answered 301 to this origin plus its own path. */
  redirectTo: string | null;
  /** WordPress's maintenance page: 503, HTML or JSON as is accepted, Retry-After 600. */
  maintenance: boolean;
  /** Every API answer waits this long before it is sent. */
  latencyMs: number;
  /** The web server puts a page of its own, with this status, in place of each 404 of the API (nginx: `fastcgi_intercept_errors`). */
  pageFor404: number | null;
}

export interface WooSandboxOptions extends Partial<HostBehaviour> {
  /** Public address without a trailing slash; by default where the sandbox listens. */
  readonly siteUrl?: string;
  /** Path the store lives under, such as `/shop`. */
  readonly basePath?: string;
  /** False: only `/?rest_route=` answers, `/wp-json/` is an HTML 404. */
  readonly prettyPermalinks?: boolean;
  readonly siteName?: string;
  readonly timezone?: string;
  readonly currency?: string;
  readonly weightUnit?: 'kg' | 'g' | 'lbs' | 'oz';
  readonly decimalSeparator?: string;
  /** How many decimals the shop shows; what is stored may have more or fewer. */
  readonly priceDecimals?: number;
  readonly pricesIncludeTax?: boolean;
  readonly calcTaxes?: boolean;
  /** WooCommerce's version: flat /variations from 10.3, brands from 9.6, global_unique_id from 9.1, post_password from 8.1. */
  readonly version?: string;
  readonly wpVersion?: string;
  readonly keys?: readonly ApiKey[];
  readonly queue?: 'immediate' | 'action-scheduler';
  /** Refuse webhook targets on private hosts and odd ports, as WordPress does. */
  readonly rejectUnsafeUrls?: boolean;
  /** Leave HTML of API writes unfiltered. */
  readonly unfilteredHtml?: boolean;
  /** `inventory_delta` reads and writes in two steps, so that concurrent ones lose updates. */
  readonly racyDelta?: boolean;
  /** Says why an image cannot be fetched; nothing means that it can. Nothing is ever downloaded. */
  readonly imageError?: (src: string) => string | undefined;
  /** Serve `/__sandbox/...`, loopback only. */
  readonly controlRoutes?: boolean;
  readonly environment?: Partial<Environment>;
}

export interface Settings {
  readonly siteUrl: string | null;
  readonly basePath: string;
  readonly prettyPermalinks: boolean;
  readonly siteName: string;
  readonly timezone: string;
  currency: string;
  weightUnit: string;
  decimalSeparator: string;
  readonly priceDecimals: number;
  pricesIncludeTax: boolean;
  calcTaxes: boolean;
  manageStock: boolean;
  readonly version: string;
  readonly wpVersion: string;
  readonly queue: 'immediate' | 'action-scheduler';
  readonly rejectUnsafeUrls: boolean;
  readonly unfilteredHtml: boolean;
  readonly racyDelta: boolean;
  readonly imageError: (src: string) => string | undefined;
  readonly controlRoutes: boolean;
  readonly host: HostBehaviour;
  readonly keys: ApiKey[];
  readonly environment: Environment;
}

export const DEFAULT_KEY: ApiKey = { key: 'ck_sandbox', secret: 'cs_sandbox', permissions: 'read_write' };

export function resolveOptions(options: WooSandboxOptions): Settings {
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  return {
    siteUrl: options.siteUrl?.replace(/\/+$/, '') ?? null,
    basePath: basePath === '' || basePath.startsWith('/') ? basePath : `/${basePath}`,
    prettyPermalinks: options.prettyPermalinks ?? true,
    siteName: options.siteName ?? 'Sandbox store',
    timezone: options.timezone ?? 'America/New_York',
    currency: options.currency ?? 'USD',
    weightUnit: options.weightUnit ?? 'kg',
    decimalSeparator: options.decimalSeparator ?? '.',
    priceDecimals: options.priceDecimals ?? 2,
    pricesIncludeTax: options.pricesIncludeTax ?? false,
    calcTaxes: options.calcTaxes ?? false,
    manageStock: true,
    version: options.version ?? '10.5.0',
    wpVersion: options.wpVersion ?? '6.9.7',
    queue: options.queue ?? 'immediate',
    rejectUnsafeUrls: options.rejectUnsafeUrls ?? false,
    unfilteredHtml: options.unfilteredHtml ?? false,
    racyDelta: options.racyDelta ?? false,
    imageError: options.imageError ?? (() => undefined),
    controlRoutes: options.controlRoutes ?? false,
    host: {
      requireHttps: options.requireHttps ?? false,
      stripAuthorization: options.stripAuthorization ?? false,
      redirectTo: options.redirectTo ?? null,
      maintenance: options.maintenance ?? false,
      latencyMs: options.latencyMs ?? 0,
      pageFor404: options.pageFor404 ?? null,
    },
    keys: [...(options.keys ?? [DEFAULT_KEY])],
    environment: { ...realEnvironment, ...options.environment },
  };
}

export function versionAtLeast(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
