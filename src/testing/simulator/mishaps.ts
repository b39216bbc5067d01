import type { MemoryPlatform } from '../../connectors/memory/platform.ts';
import type { ProductRecord, VariantRecord } from '../../connectors/memory/records.ts';
import { requestRun } from '../../engine/runs/request-run.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { makeProduct } from './catalogue.ts';
import { type Pace, timesAsOften } from './day.ts';
import type { SeededRandom } from './random.ts';
import { PAIR_ID, type World } from './world.ts';

const KINDS = {
  mass_harm: 2,
  edit_against_delete: 6,
  edit_both_at_once: 4,
  edit_on_landing: 5,
  add_apart: 4,
  forgetful: 3,
  spotty_listing: 3,
  empty_scan: 1,
} as const;
type Kind = keyof typeof KINDS;
/** Has a chance and a stream of its own. */
const CRASH = 'crash_on_write';
export type Mishap = Kind | typeof CRASH;
export const MISHAPS = [...(Object.keys(KINDS) as Kind[]), CRASH] as const;

/** So often a step of an ordinary day brings one: about two dozen in a seed of full size. */
const CHANCE = 0.012;
/** About three in a seed of full size. */
const CRASH_CHANCE = 0.0015;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/**
 * What happens seldom and then all at once: a shop that puts half its catalogue away, a store that has forgotten everything, two people in one
 * second. Drawn from a stream of its own, so that the ordinary days of a seed stay what they were.
 */
export class Mishaps {
  readonly counts = new Map<string, number>();
  readonly #world: World;
  readonly #pace: Pace;
  readonly #kinds: Readonly<Record<Kind, number>>;
  readonly #random: SeededRandom;
  readonly #crashes: SeededRandom;
  #made = 50_000;
  #isOver = false;

  constructor(world: World, pace: Pace) {
    this.#world = world;
    this.#pace = pace;
    this.#kinds = timesAsOften(KINDS, pace.kinds);
    this.#random = world.random.fork('mishaps');
    this.#crashes = world.random.fork('crashes');
    for (const kind of MISHAPS) this.counts.set(kind, 0);
  }

  /** Once a step. */
  maybe(): void {
    if (this.#crashes.chance(CRASH_CHANCE * this.#pace.mishaps)) this.#crashOnWrite(this.#crashes.pick(SIDES));
    if (!this.#random.chance(CHANCE * this.#pace.mishaps)) return;
    const kind = this.#random.weighted(this.#kinds);
    this.#count(kind);
    this.#begin(kind, this.#random.pick(SIDES));
  }

  #count(kind: Mishap): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /** What was begun and has not come to its end is given up. */
  stop(): void {
    this.#isOver = true;
  }

  #begin(kind: Kind, side: Side): void {
    const shop = this.#world.shops[side];
    const begin: Readonly<Record<Kind, () => void>> = {
      mass_harm: () => this.#massHarm(shop),
      edit_against_delete: () => this.#editAgainstDelete(side),
      edit_both_at_once: () => this.#editBothAtOnce(),
      edit_on_landing: () => this.#editOnLanding(),
      add_apart: () => this.#addApart(side),
      forgetful: () => this.#forget(shop),
      spotty_listing: () => this.#leaveOut(side),
      empty_scan: () => this.#listNothing(side),
    };
    begin[kind]();
  }

  /** [G1] More products than the guard lets pass, all at once or one after the other. */
  #massHarm(shop: MemoryPlatform): void {
    const random = this.#random;
    const harm = random.pick(['draft', 'zero', 'price_cut', 'bin'] as const);
    const gapMs = random.chance(0.4) ? 300 : 2 * MINUTE_MS;
    const products = random.shuffle(liveProducts(shop)).slice(0, 12 + random.int(6));
    products.forEach((product, i) => {
      this.#after(i * gapMs, () => {
        const [variant] = product.variants;
        if (variant === undefined) return;
        const { regularMinor } = variant.fields.price;
        if (harm === 'draft') shop.outside.editProduct(product.id, 'status', 'draft');
        if (harm === 'zero') shop.outside.recount(variant.stockId, 0);
        if (harm === 'bin') shop.outside.deleteProduct(product.id, 'bin');
        if (harm === 'price_cut' && regularMinor !== null)
          shop.outside.editVariant(variant.stockId, 'price', {
            regularMinor: Math.max(1, Math.floor(regularMinor / 3)),
            saleMinor: null,
          });
      });
    });
  }

  /** [G9] Somebody deletes what somebody else has just edited, or is about to. */
  #editAgainstDelete(side: Side): void {
    const { shops } = this.#world;
    const other = otherSide(side);
    for (const [one, twin] of this.#pairs(2)) {
      const [deleted, edited] = side === 'woocommerce' ? [one, twin] : [twin, one];
      const how = this.#random.chance(0.5) ? 'bin' : 'hard';
      this.#after(this.#random.int(2 * SECOND_MS), () => shops[side].outside.deleteProduct(deleted.id, how));
      this.#after(this.#random.int(SECOND_MS), () =>
        shops[other].outside.editProduct(edited.id, 'title', `Kept ${this.#next()}`),
      );
    }
  }

  /** [R4] Two people at one field within a second. */
  #editBothAtOnce(): void {
    for (const twins of this.#pairs(3)) {
      const field = this.#random.pick(['title', 'descriptionHtml'] as const);
      SIDES.forEach((side, i) => {
        const record = twins[i];
        if (record === undefined) return;
        this.#after(this.#random.int(SECOND_MS), () =>
          this.#world.shops[side].outside.editProduct(record.id, field, `At once ${this.#next()}`),
        );
      });
    }
  }

  /** Somebody has the product open while a write of ours lands on it, before and after its answer. */
  #editOnLanding(): void {
    const seen = SIDES.map((side) => this.#world.shops[side].shelf.ledger.seq);
    for (let tick = 1; tick <= 400; tick += 1) this.#after(tick * 300, () => this.#lookForLandings(seen));
  }

  #lookForLandings(seen: number[]): void {
    SIDES.forEach((side, i) => {
      const { ledger } = this.#world.shops[side].shelf;
      const landed = ledger.entries.slice(seen[i] ?? 0).filter(({ kind, by }) => kind === 'set_field' && by === 'us');
      seen[i] = ledger.seq;
      for (const { productId } of landed) {
        if (!this.#random.chance(0.3)) continue;
        const shop = this.#random.chance(0.5) ? this.#world.shops[side] : this.#world.shops[otherSide(side)];
        const record = shop.shelf.products.get(productId) ?? this.#twinOf(side, productId);
        if (record === null) continue;
        const field = this.#random.pick(['title', 'descriptionHtml'] as const);
        shop.outside.editProduct(record.id, field, `Landing ${this.#next()}`);
      }
    });
  }

  /** [M1] One product typed into one shop and, minutes later, into the other. */
  #addApart(first: Side): void {
    const { shops } = this.#world;
    for (let each = 0; each < 4; each += 1) {
      const record = makeProduct(this.#random, this.#next());
      shops[first].outside.addProduct(record);
      this.#after(2 * MINUTE_MS + this.#random.int(MINUTE_MS), () =>
        shops[otherSide(first)].outside.addProduct(record),
      );
    }
  }

  /** [G7] For minutes a store says of every record that it is not there; then it is down for a while, and then it knows them again. */
  #forget(shop: MemoryPlatform): void {
    // Where they come often, one would let the shop remember in the midst of another.
    if (this.#pace.mishaps > 1 && shop.readOutage !== null) return;
    shop.readOutage = 'forgetful';
    const forgetsMs = MINUTE_MS + this.#random.int(4 * MINUTE_MS);
    this.#after(forgetsMs, () => {
      shop.readOutage = 'down';
    });
    // Longer than a request can be under way: no pass reads one record before and its witness after.
    this.#after(forgetsMs + 2 * MINUTE_MS, () => {
      shop.readOutage = null;
    });
    for (const product of this.#random.shuffle(liveProducts(shop)).slice(0, 3))
      this.#after(this.#random.int(forgetsMs), () =>
        shop.outside.editProduct(product.id, 'title', `Forgotten ${this.#next()}`),
      );
  }

  /** [G7] A listing that calls itself complete and leaves a few records out, for longer than two looks at everything. */
  #leaveOut(side: Side): void {
    if (this.#world.shops[side].listingOutage !== null) return;
    this.#world.setListing(side, 'spotty');
    for (let look = 0; look < 3; look += 1) this.#after(look * 3 * MINUTE_MS, () => this.#scan());
    this.#after(12 * MINUTE_MS, () => {
      if (this.#world.shops[side].listingOutage === 'spotty') this.#world.setListing(side, null);
    });
  }

  /** [G5] A full look at a shop that lists nothing. */
  #listNothing(side: Side): void {
    if (this.#world.shops[side].listingOutage !== null) return;
    this.#world.setListing(side, 'empty');
    this.#after(SECOND_MS, () => this.#scan());
    this.#after(10 * MINUTE_MS, () => {
      if (this.#world.shops[side].listingOutage === 'empty') this.#world.setListing(side, null);
    });
  }

  /** [S5] The process dies while a stock write is on its way and is back at once; the write lands when it likes, and the shop goes on selling. */
  #crashOnWrite(side: Side): void {
    const shop = this.#world.shops[side];
    const calm = shop.faults;
    const random = this.#crashes;
    shop.faults = {
      request: (facts) => {
        if (facts.operation !== 'write_stock' || this.#isOver) return calm.request(facts);
        shop.faults = calm;
        this.#count(CRASH);
        this.#after(50, () => this.#world.process?.kill());
        this.#after(100, () => this.#world.life());
        return { ...calm.request(facts), fault: { type: 'late_landing', lateMs: 1 + random.int(facts.fenceMs - 1) } };
      },
      delivery: (facts) => calm.delivery(facts),
    };
    for (const [one, twin] of this.#pairs(3, random)) {
      const [sold, written] = side === 'woocommerce' ? [twin, one] : [one, twin];
      const elsewhere = sold.variants[0]?.stockId ?? '';
      this.#world.shops[otherSide(side)].outside.sell(elsewhere, 1);
      for (let sale = 1; sale <= 4; sale += 1)
        this.#after(random.int(2 * MINUTE_MS), () => shop.outside.sell(written.variants[0]?.stockId ?? '', 1));
    }
  }

  #scan(): void {
    if (!this.#world.isAlive()) return;
    try {
      requestRun(this.#world.life().ctx, { pairId: PAIR_ID, trigger: 'reconcile' });
    } catch {
      // A run is open, the pair is halted, or the process dies at it: that look is left out.
    }
  }

  #after(ms: number, act: () => void): void {
    this.#world.clock.setTimer(() => {
      if (!this.#isOver) act();
    }, ms);
  }

  #next(): number {
    this.#made += 1;
    return this.#made;
  }

  /** Up to `count` products that both shops have, told by a SKU. */
  #pairs(count: number, random = this.#random): readonly (readonly [ProductRecord, ProductRecord])[] {
    const { woocommerce, shopify } = this.#world.shops;
    const pairs = liveProducts(woocommerce).flatMap((product) => {
      const twin = twinIn(shopify, product.variants);
      return twin === null ? [] : [[product, twin] as const];
    });
    return random.shuffle(pairs).slice(0, count);
  }

  #twinOf(side: Side, productId: string): ProductRecord | null {
    const product = this.#world.shops[side].shelf.products.get(productId);
    return product === undefined ? null : twinIn(this.#world.shops[otherSide(side)], product.variants);
  }
}

function liveProducts(shop: MemoryPlatform): readonly ProductRecord[] {
  return [...shop.shelf.products.values()].filter((product) => !product.isTrashed && product.variants.length > 0);
}

function twinIn(shop: MemoryPlatform, variants: readonly VariantRecord[]): ProductRecord | null {
  for (const { fields } of variants) {
    const holder = fields.sku === '' ? undefined : shop.shelf.holdersOf(fields.sku)[0];
    if (holder !== undefined && !holder.product.isTrashed) return holder.product;
  }
  return null;
}
