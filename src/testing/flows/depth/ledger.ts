import type { HttpRequest } from '../../../connectors/shared/transport.ts';
import { SIDES, type Side } from '../../../model/platform.ts';
import { type WooStockWrite, wooStockWrites, writeKindOf } from './requests.ts';
import { type ShelfItem, shelfOf } from './shelf.ts';
import type { Answer, Witness } from './wire.ts';
import type { DepthWorld } from './world.ts';

interface Entry {
  readonly side: Side;
  readonly stockId: string;
  readonly seq: number;
  readonly units: number;
}

interface SentWrite extends WooStockWrite {
  /** What our process believed the item to hold. */
  readonly from: number;
}

interface Landing {
  readonly writes: readonly SentWrite[];
  readonly before: ReadonlyMap<string, number | null>;
}

/** A blind write follows its own reading by at most this: our wait for a turn, and the request's way. */
const WINDOW_MAX_MS = 75_000;

/** Keeps the books of both shelves: what people did, what our blind writes may have trampled, and every write of ours. */
export class Ledger implements Witness {
  readonly #world: DepthWorld;
  readonly #outside: Entry[] = [];
  readonly #lost: Entry[] = [];
  readonly #births = new Map<string, { readonly seq: number; readonly quantity: number; readonly isOurs: boolean }>();
  readonly #read = new Map<string, { readonly at: number; readonly value: number }[]>();
  readonly #names = new Map<string, string>();
  readonly deleted = new Set<string>();
  readonly violations: string[] = [];
  readonly writes: Record<Side, Record<'stock' | 'product', number>> = {
    woocommerce: { stock: 0, product: 0 },
    shopify: { stock: 0, product: 0 },
  };
  /** Answers of 500 and above, and failures inside of GraphQL answers. */
  serverErrors = 0;
  readonly refusals = new Map<string, number>();
  seq = 0;

  constructor(world: DepthWorld) {
    this.#world = world;
  }

  /** Runs what a person does, and books every difference that it makes. */
  person(act: () => void): void {
    const before = this.#shelves();
    try {
      act();
    } finally {
      const after = this.#shelves();
      this.seq += 1;
      for (const [key, item] of after) {
        const old = before.get(key);
        // Out of the bin again: it was born before.
        if (old === undefined && !this.#births.has(key)) this.#born(item, false);
        if (old === undefined) continue;
        if (old.stock !== null && item.stock !== null && old.stock !== item.stock)
          this.#outside.push({ ...at(item), seq: this.seq, units: item.stock - old.stock });
      }
      const left = new Set([...after.values()].map(productKey));
      for (const item of before.values()) if (!left.has(productKey(item))) this.deleted.add(productKey(item));
    }
  }

  /** Everything that is on the shelves now was there from the start. */
  begin(): void {
    for (const item of this.#shelves().values()) this.#born(item, false);
  }

  outsideUnits(side: Side, stockId: string, after: number): number {
    return sum(this.#outside, side, stockId, after);
  }

  lostUnits(side: Side, stockId: string, after: number): number {
    return sum(this.#lost, side, stockId, after);
  }

  birthOf(side: Side, stockId: string) {
    return this.#births.get(`${side} ${stockId}`) ?? null;
  }

  /** For people who look into a seed. */
  clockNow(): number {
    return this.#world.clock.now();
  }

  lastBooked(after: number): string {
    return JSON.stringify(this.#outside.filter(({ seq }) => seq > after));
  }

  landedWrites(): number {
    return SIDES.reduce((count, side) => count + this.writes[side].stock + this.writes[side].product, 0);
  }

  sent(side: Side, request: HttpRequest): readonly SentWrite[] {
    if (side === 'shopify') return [];
    return wooStockWrites(request).map((write) => {
      const row = this.#world.db.connection
        .prepare('SELECT intent_from AS f FROM variant_binding WHERE intent_key = ?')
        .get(write.key) as { f: number } | undefined;
      if (row === undefined)
        this.violations.push(`I8: a stock write of ${write.stockId} was sent without a stored intent`);
      const from = row?.f ?? write.to;
      const now = this.#world.clock.now();
      const reads = this.#read.get(write.stockId) ?? [];
      if (!reads.some((read) => read.value === from && now - read.at <= WINDOW_MAX_MS))
        this.violations.push(
          `I2: ${write.stockId} was set from ${from} to ${write.to}, and ${from} was not read just before`,
        );
      return { ...write, from };
    });
  }

  arrived(side: Side, _request: HttpRequest, sent: unknown): Landing {
    const writes = sent as readonly SentWrite[];
    return { writes, before: side === 'shopify' || writes.length === 0 ? new Map() : this.#wooStock() };
  }

  done(side: Side, request: HttpRequest, note: unknown, answer: Answer | null): void {
    const kind = writeKindOf(side, request);
    const isRefused = answer !== null && this.#judge(side, answer);
    if (kind !== 'none' && !isRefused) this.writes[side][kind] += 1;
    if (kind === 'product') this.#noteBirths();
    if (side === 'shopify') return;
    const { writes, before } = note as Landing;
    if (writes.length > 0) this.#bookBlind(writes, before, answer);
    if (answer !== null && answer.status < 300) this.#noteReads(answer);
  }

  #noteBirths(): void {
    for (const [key, item] of this.#shelves()) if (!this.#births.has(key)) this.#born(item, true);
  }

  #bookBlind(writes: readonly SentWrite[], before: ReadonlyMap<string, number | null>, answer: Answer | null): void {
    const after = this.#wooStock();
    // A refused request did nothing; one that failed afterwards, or whose answer is lost, may have.
    if (answer !== null && answer.status >= 400 && answer.status < 500) return;
    for (const { stockId, from, to } of writes) {
      const held = before.get(stockId) ?? null;
      if (held === null || after.get(stockId) !== to) continue;
      if (answer !== null && answer.status >= 500 && held === to) continue;
      if (held !== from) this.#lost.push({ side: 'woocommerce', stockId, seq: this.seq, units: held - from });
    }
  }

  #noteReads(answer: Answer): void {
    const now = this.#world.clock.now();
    let data: unknown;
    try {
      data = JSON.parse(answer.body.toString());
    } catch {
      return;
    }
    const wrapped = data as { update?: unknown[]; create?: unknown[] } | null;
    const stockIds = this.#stockIds();
    const items = Array.isArray(data) ? data : [wrapped, ...(wrapped?.update ?? []), ...(wrapped?.create ?? [])];
    for (const item of items as ({ id?: number; stock_quantity?: number | null } | null)[]) {
      if (item?.id === undefined || typeof item.stock_quantity !== 'number') continue;
      const stockId = stockIds.get(String(item.id));
      if (stockId === undefined) continue;
      const reads = (this.#read.get(stockId) ?? []).filter(({ at }) => now - at <= WINDOW_MAX_MS);
      this.#read.set(stockId, [...reads, { at: now, value: item.stock_quantity }]);
    }
  }

  /** Whether the store refused what was asked, or a part of it: each look asks again what was told to a person, and that is no echo. */
  #judge(side: Side, { status, body }: Answer): boolean {
    const text = body.length < 200_000 ? body.toString() : '';
    const isFault = status >= 500 || (side === 'shopify' && text.includes('INTERNAL_SERVER_ERROR'));
    const isRefused = !isFault && (status >= 400 || /"userErrors":\[\{|^\{"errors"|"error":\{"code"/.test(text));
    if (isFault) this.serverErrors += 1;
    if (isRefused) {
      const code = /"code":"([^"]+)"/.exec(text)?.[1] ?? text.slice(0, 90);
      const said = /"message":"([^"]{0,80})/.exec(text)?.[1] ?? '';
      const name = `${side} ${status} ${code} ${said}`;
      this.refusals.set(name, (this.refusals.get(name) ?? 0) + 1);
    }
    return isRefused;
  }

  #born(item: ShelfItem, isOurs: boolean): void {
    const key = `${item.side} ${item.stockId}`;
    this.#births.set(key, { seq: this.seq, quantity: item.stock ?? 0, isOurs });
  }

  #shelves(): Map<string, ShelfItem> {
    return new Map(
      SIDES.flatMap((side) => shelfOf(this.#world.shops, side)).map((item) => [`${item.side} ${item.stockId}`, item]),
    );
  }

  #wooStock(): Map<string, number | null> {
    return new Map(shelfOf(this.#world.shops, 'woocommerce').map((item) => [item.stockId, item.stock]));
  }

  /** What is in the bin by now is on no shelf, and can be read and written all the same. */
  #stockIds(): ReadonlyMap<string, string> {
    for (const item of shelfOf(this.#world.shops, 'woocommerce')) this.#names.set(item.variantId, item.stockId);
    return this.#names;
  }
}

export function productKey(item: { readonly side: Side; readonly productId: string }): string {
  return `${item.side} ${item.productId}`;
}

function at(item: ShelfItem) {
  return { side: item.side, stockId: item.stockId };
}

function sum(entries: readonly Entry[], side: Side, stockId: string, after: number): number {
  return entries.reduce(
    (total, entry) =>
      entry.side === side && entry.stockId === stockId && entry.seq > after ? total + entry.units : total,
    0,
  );
}
