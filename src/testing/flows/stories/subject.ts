import type { ProductRecord, VariantRecord } from '../../../connectors/memory/records.ts';
import { SIDES, type Side } from '../../../model/platform.ts';
import { variant } from '../../support/products.ts';
import { type EngineFlow, record } from '../engine-flow.ts';
import { untold } from '../untold.ts';
import { type Act, KEYS, type Story } from './story.ts';

/** What the shops have at first. */
export const FIRST_QUANTITY = 8;
/** What is typed where it is added, in turn: no two alike, so that what becomes of each can be told. */
const TYPED = [10, 7, 12, 5, 9, 6, 11, 4, 13];

/** One thing that a shop shows. */
export interface Half {
  readonly quantity: number;
  readonly text: string;
  /** What somebody added it with; null: it was there at first, or is our doing. */
  readonly typed: number | null;
}

/** What somebody did to the stock of it. */
export interface Deeds {
  /** The numbers that it was added with. */
  readonly added: readonly number[];
  readonly sold: number;
  /** Whether it was added, deleted or taken out of the bin anywhere. */
  readonly isMoved: boolean;
}

const MOVES: readonly Act[] = ['add', 'delete', 'trash', 'restore'];

/** What a story is about, in both shops. */
export abstract class Subject {
  protected readonly flow: EngineFlow;
  readonly #typed = new Map<string, number>();
  readonly #added: number[] = [];
  #sold = 0;
  #edits = 0;
  #isMoved = false;

  constructor(flow: EngineFlow) {
    this.flow = flow;
  }

  /** A deed of somebody in a shop; nothing where it can't be done there by now. */
  do(act: Act, side: Side, isTold: boolean): void {
    const [own] = this.shown(side);
    const { outside } = this.flow.shop(side);
    if (MOVES.includes(act)) this.#isMoved = true;
    const perform = (deed: () => unknown) => (isTold ? deed() : untold(this.flow, side, deed));
    if (act === 'add' && own === undefined) {
      const quantity = TYPED[this.#added.length % TYPED.length] ?? 0;
      this.#added.push(quantity);
      perform(() => this.add(side, quantity));
      for (const { stockId } of this.shown(side)) this.#typed.set(stockId, quantity);
    } else if (act === 'restore' && own === undefined) perform(() => this.restore(side));
    else if (act === 'delete') perform(() => this.remove(side, 'hard'));
    else if (act === 'trash') perform(() => this.remove(side, 'bin'));
    else if (own === undefined) return;
    else if (act === 'sell')
      perform(() => {
        if (outside.sell(own.stockId, 1) !== null) this.#sold += 1;
      });
    else if (act === 'edit') {
      this.#edits += 1;
      perform(() => outside.editVariant(own.stockId, 'price', { regularMinor: 1_500 + this.#edits, saleMinor: null }));
    }
  }

  /** What was done to its stock. */
  deeds(): Deeds {
    return { added: this.#added, sold: this.#sold, isMoved: this.#isMoved };
  }

  halves(side: Side): readonly Half[] {
    return this.shown(side).map(({ stockId, quantity, fields }) => ({
      ...{ quantity, text: JSON.stringify(fields.price), typed: this.#typed.get(stockId) ?? null },
    }));
  }

  /** Records of it that take its key up and are not on sale: in the bin, or put away. */
  abstract away(side: Side): number;
  protected abstract shown(side: Side): readonly VariantRecord[];
  /** Nothing where the shop does not take it, since its SKU is taken there. */
  protected abstract add(side: Side, quantity: number): void;
  protected abstract remove(side: Side, how: 'bin' | 'hard'): void;
  protected abstract restore(side: Side): void;
}

/** M of a mug that comes in S and M. */
class VariantSubject extends Subject {
  readonly #keys: (typeof KEYS)[keyof typeof KEYS];

  constructor(flow: EngineFlow, keys: Story['keys']) {
    super(flow);
    this.#keys = KEYS[keys];
    flow.stock(SIDES, { optionNames: ['Size'] }, [
      { sku: 'MUG-S', optionValues: ['S'], quantity: 4 },
      { ...this.#keys, optionValues: ['M'], quantity: FIRST_QUANTITY },
    ]);
  }

  away(side: Side): number {
    return this.#all(side).filter(({ isArchived }) => isArchived).length;
  }

  protected shown(side: Side): readonly VariantRecord[] {
    return this.#all(side).filter(({ isArchived }) => !isArchived);
  }

  protected add(side: Side, quantity: number): void {
    const fields = variant({ ...this.#keys, optionValues: ['M'] });
    this.flow.shop(side).outside.addVariant(this.#mug(side).id, { fields, stock: { tracked: true, quantity } });
  }

  protected remove(side: Side): void {
    const [own] = this.shown(side);
    if (own !== undefined) this.flow.shop(side).outside.deleteVariant(own.stockId);
  }

  protected restore(): void {
    // A variant is gone for good in either shop.
  }

  #mug(side: Side): ProductRecord {
    return this.flow.product(side, 'Mug');
  }

  #all(side: Side): readonly VariantRecord[] {
    return this.#mug(side).variants.filter(({ fields }) => fields.optionValues[0] === 'M');
  }
}

/** A mug among a dozen other things: what is deleted is believed where others are still shown. */
class ProductSubject extends Subject {
  constructor(flow: EngineFlow) {
    super(flow);
    for (let i = 0; i < 12; i += 1) flow.stock(SIDES, { title: `Bowl ${i}` }, [{ sku: `BOWL-${i}` }]);
    flow.stock(SIDES, {}, [{ sku: 'MUG', quantity: FIRST_QUANTITY }]);
  }

  away(side: Side): number {
    return this.#all(side).filter((own) => !isOnSale(own)).length;
  }

  protected shown(side: Side): readonly VariantRecord[] {
    return this.#all(side)
      .filter(isOnSale)
      .flatMap(({ variants }) => variants);
  }

  protected add(side: Side, quantity: number): void {
    this.flow.shop(side).outside.addProduct(record({}, [{ sku: 'MUG', quantity }]));
  }

  protected remove(side: Side, how: 'bin' | 'hard'): void {
    const own = this.#all(side).find(isOnSale) ?? this.#all(side).at(-1);
    if (own !== undefined) this.flow.shop(side).outside.deleteProduct(own.id, how);
  }

  protected restore(side: Side): void {
    const own = this.#all(side).at(-1);
    if (own === undefined) return;
    const { outside } = this.flow.shop(side);
    if (own.isTrashed) outside.restore(own.id);
    else outside.editProduct(own.id, 'status', 'active');
  }

  #all(side: Side): readonly ProductRecord[] {
    const all = [...this.flow.shop(side).shelf.products.values()];
    return all.filter(({ variants }) => variants.some(({ fields }) => fields.sku === 'MUG'));
  }
}

const isOnSale = ({ isTrashed, fields }: ProductRecord) => !isTrashed && fields.status === 'active';

/** Puts it onto the shelves of both shops. */
export function placeSubject(flow: EngineFlow, { subject, keys }: Story): Subject {
  return subject === 'variant' ? new VariantSubject(flow, keys) : new ProductSubject(flow);
}
