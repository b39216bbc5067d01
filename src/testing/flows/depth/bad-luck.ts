import { SIDES, type Side } from '../../../model/platform.ts';
import type { Fault as ShopifyFault } from '../../../sandbox/shopify/http/faults.ts';
import type { Fault as WooFault } from '../../../sandbox/woocommerce/faults.ts';
import type { SeededRandom } from '../../simulator/random.ts';
import type { RequestFate } from './wire.ts';
import type { DeliveryFate, DepthWorld } from './world.ts';

const WOO: Readonly<Record<string, { readonly weight: number; readonly fault: WooFault }>> = {
  woo_500_before: { weight: 8, fault: { kind: 'status', status: 500 } },
  woo_500_after: { weight: 8, fault: { kind: 'status', status: 500, when: 'after' } },
  woo_502_before: { weight: 4, fault: { kind: 'status', status: 502 } },
  woo_504_after: { weight: 4, fault: { kind: 'status', status: 504, when: 'after' } },
  woo_429: { weight: 4, fault: { kind: 'status', status: 429, retryAfterS: 3 } },
  woo_drop_before: { weight: 4, fault: { kind: 'drop', when: 'before' } },
  woo_drop_after: { weight: 4, fault: { kind: 'drop', when: 'after' } },
};

const SHOPIFY: Readonly<Record<string, { readonly weight: number; readonly fault: ShopifyFault }>> = {
  shopify_500_before: { weight: 8, fault: { kind: 'status', status: 500 } },
  shopify_500_after: { weight: 8, fault: { kind: 'status', status: 500, when: 'after' } },
  shopify_429: { weight: 4, fault: { kind: 'status', status: 429, retryAfterSeconds: 2 } },
  shopify_throttled: { weight: 6, fault: { kind: 'throttled' } },
  shopify_internal_before: { weight: 4, fault: { kind: 'internal_error' } },
  shopify_internal_after: { weight: 4, fault: { kind: 'internal_error', when: 'after' } },
  shopify_reset_before: { weight: 4, fault: { kind: 'reset', when: 'before' } },
  shopify_reset_after: { weight: 4, fault: { kind: 'reset', when: 'after' } },
};

const FATES: Readonly<Record<RequestFate, number>> = { passes: 960, never_lands: 12, answer_lost: 18, lands_late: 10 };
const DELIVERIES: Readonly<Record<DeliveryFate, number>> = { arrives: 80, lost: 6, doubled: 6, late: 5, refused: 3 };
/** Share of requests that a store spoils by itself. */
const SPOILED = 0.05;

/** Everything that goes wrong in a seed, by the stores' own fault hooks and on the wire; each is counted when it strikes. */
export class BadLuck {
  readonly counts = new Map<string, number>();
  /** Server errors that we asked for: every other one is somebody's bug. */
  serverErrors = 0;
  readonly #world: DepthWorld;
  readonly #random: SeededRandom;
  readonly #revoked = new Set<Side>();

  constructor(world: DepthWorld) {
    this.#world = world;
    this.#random = world.random.fork('luck');
  }

  start(): void {
    const { woo, shopify } = this.#world.shops;
    woo.controls.setFault(() => this.#woo());
    shopify.controls.setFault((request) => (request.kind === 'download' ? null : this.#shopify()));
    this.#world.requestFate = () => this.#count(this.#random.weighted(FATES), 'passes');
    this.#world.fate = () => this.#count(this.#random.weighted(DELIVERIES), 'arrives', 'webhook_');
  }

  stop(): void {
    const { woo, shopify } = this.#world.shops;
    woo.controls.setFault(null);
    shopify.controls.setFault(null);
    shopify.controls.setWebhookFaults({});
    this.#revoked.clear();
    this.#world.requestFate = () => 'passes';
    this.#world.fate = () => 'arrives';
  }

  revoke(side: Side): void {
    this.#revoked.add(side);
    this.#count(`${side}_revoked`, '');
  }

  restore(): void {
    for (const side of SIDES) this.#revoked.delete(side);
  }

  #woo(): WooFault | undefined {
    if (this.#revoked.has('woocommerce')) return { kind: 'key_revoked' };
    if (!this.#random.chance(SPOILED)) return undefined;
    const name = this.#random.weighted(weights(WOO));
    this.#count(name, '');
    const fault = WOO[name]?.fault;
    if (fault?.kind === 'status' && fault.status >= 500) this.serverErrors += 1;
    return fault;
  }

  #shopify(): ShopifyFault | null {
    if (this.#revoked.has('shopify'))
      return { kind: 'status', status: 401, body: { errors: '[API] Invalid API key or access token' } };
    if (!this.#random.chance(SPOILED)) return null;
    const name = this.#random.weighted(weights(SHOPIFY));
    this.#count(name, '');
    const fault = SHOPIFY[name]?.fault ?? null;
    if (fault?.kind === 'internal_error' || (fault?.kind === 'status' && fault.status >= 500)) this.serverErrors += 1;
    return fault;
  }

  #count<T extends string>(name: T, quiet: string, prefix = ''): T {
    if (name !== quiet) this.counts.set(`${prefix}${name}`, (this.counts.get(`${prefix}${name}`) ?? 0) + 1);
    return name;
  }
}

function weights(list: Readonly<Record<string, { readonly weight: number }>>): Record<string, number> {
  return Object.fromEntries(Object.entries(list).map(([name, { weight }]) => [name, weight]));
}
