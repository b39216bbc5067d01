import type { MemoryPlatform } from '../../connectors/memory/platform.ts';
import type { ProductRecord, StockItem, VariantRecord } from '../../connectors/memory/records.ts';
import { mayFollow } from '../../core/direction.ts';
import { otherSide, type PerSide, SIDES } from '../../model/platform.ts';
import { BACKORDER_RULES } from '../../model/product.ts';
import { barcoded, gtinOf, makeProduct, makeVariant, underOtherSkus } from './catalogue.ts';
import { type Pace, timesAsOften } from './day.ts';
import type { SeededRandom } from './random.ts';
import type { World } from './world.ts';

const ACTIONS = {
  sell: 40,
  sell_both: 8,
  restock: 8,
  recount: 3,
  edit_title: 6,
  edit_title_both: 2,
  edit_price: 6,
  edit_tags: 4,
  edit_description: 2,
  edit_status: 1,
  edit_sku: 0.5,
  add_product: 1.5,
  add_both: 0.4,
  add_variant: 0.7,
  delete_variant: 0.15,
  bin_product: 0.3,
  restore_product: 0.4,
  delete_product: 0.15,
  toggle_tracking: 0.05,
} as const;

const RECENT_MAX = 3;

/** Merchants and shoppers of both shops: one of their actions a call. */
export class People {
  readonly #world: World;
  readonly #random: SeededRandom;
  /** What goes along with an action, without moving which actions come next. */
  readonly #habits: SeededRandom;
  readonly #weights: Readonly<Record<keyof typeof ACTIONS, number>>;
  readonly #focus: SeededRandom;
  readonly #focused: number;
  /** A SKU of each product that somebody turned to lately. */
  readonly #recent: string[] = [];
  /** Variants that were deleted lately, and when one comes back. */
  readonly #removed: (StockItem & { readonly shop: MemoryPlatform })[] = [];
  readonly #again: SeededRandom;
  /** Of shops that have barcodes, which not all have. */
  readonly #barcodes: SeededRandom | null;
  /** Of shops whose people add the same goods under two SKUs, and see it later. */
  readonly #corrections: SeededRandom | null;
  /** What they added so, as each shop has it. */
  readonly #apart: PerSide<ProductRecord>[] = [];
  readonly counts = new Map<string, number>();
  #made = 10_000;

  constructor(world: World, pace: Pace) {
    this.#world = world;
    this.#weights = timesAsOften(ACTIONS, pace.actions);
    this.#random = world.random.fork('people');
    this.#habits = world.random.fork('habits');
    this.#focus = world.random.fork('focus');
    this.#again = world.random.fork('again');
    const barcodes = world.random.fork('barcodes');
    this.#barcodes = barcodes.chance(0.4) ? barcodes : null;
    const corrections = world.random.fork('corrections');
    // Where something is made of it, what was added apart does not stay so for long.
    const isMade = SIDES.some((side) => world.settings.createOn[side] && mayFollow(side, world.settings));
    this.#corrections = corrections.chance(isMade ? 0.2 : 0.9) ? corrections : null;
    this.#focused = pace.focus;
  }

  act(): void {
    const random = this.#random;
    const action = random.weighted(this.#weights);
    const shop = this.#world.shops[random.pick(SIDES)];
    this.counts.set(action, (this.counts.get(action) ?? 0) + 1);
    this.#perform(action, shop);
  }

  #perform(action: keyof typeof ACTIONS, shop: MemoryPlatform): void {
    const random = this.#random;
    const { outside } = shop;
    const product = this.#product(shop);
    const variant = product === null ? null : this.#variant(product);
    switch (action) {
      case 'sell':
        if (variant) outside.sell(variant.stockId, 1 + random.int(2));
        return;
      case 'sell_both':
        for (const [each, item] of this.#twins()) each.outside.sell(item.stockId, 1);
        return;
      case 'restock':
        if (variant) outside.restock(variant.stockId, 1 + random.int(12));
        return;
      case 'recount':
        if (variant) outside.recount(variant.stockId, random.int(30));
        return;
      case 'edit_title':
        if (product) outside.editProduct(product.id, 'title', `${product.fields.title.slice(0, 30)} ${this.#next()}`);
        return;
      case 'edit_title_both':
        for (const [each, item] of this.#twins()) {
          const owner = each.shelf.items.get(item.stockId)?.product;
          if (owner) each.outside.editProduct(owner.id, 'title', `Both ${this.#next()}`);
        }
        return;
      case 'edit_price': {
        if (!variant) return;
        const before = variant.fields.price.regularMinor ?? 1_000;
        // Not cut to half: that is what the guard is for, and tested apart.
        const regularMinor = Math.max(2, Math.round(before * (0.8 + random.unit() * 0.5)));
        outside.editVariant(variant.stockId, 'price', {
          regularMinor,
          saleMinor: random.chance(0.2) ? Math.max(1, Math.round(regularMinor * 0.9)) : null,
        });
        return;
      }
      case 'edit_tags': {
        if (!product) return;
        const tags = product.fields.tags.filter(() => random.chance(0.8));
        if (random.chance(0.7)) tags.push(`tag-${random.int(40)}`);
        outside.editProduct(product.id, 'tags', tags);
        return;
      }
      case 'edit_description':
        if (product) outside.editProduct(product.id, 'descriptionHtml', `<p>New words, no. ${this.#next()}.</p>`);
        return;
      case 'edit_status':
        if (product) outside.editProduct(product.id, 'status', random.chance(0.5) ? 'active' : 'draft');
        return;
      case 'edit_sku':
        if (this.#corrections?.chance(0.7) && this.#correctSku(this.#corrections)) return;
        if (variant) outside.renameSku(variant.stockId, `SKU-R${this.#next()}`);
        if (variant && this.#barcodes?.chance(0.5)) this.#editBarcode(shop, variant, this.#barcodes);
        return;
      case 'add_product': {
        const number = this.#next();
        const record = makeProduct(random, number);
        outside.addProduct(this.#barcodes?.chance(0.5) ? barcoded(record, number) : record);
        return;
      }
      case 'add_both': {
        const number = this.#next();
        const record = makeProduct(random, number);
        const { woocommerce, shopify } = this.#world.shops;
        if (this.#barcodes?.chance(0.6)) {
          // Which shop names them otherwise says nothing of which is looked at first.
          woocommerce.outside.addProduct(barcoded(record, number));
          shopify.outside.addProduct(barcoded(underOtherSkus(record), number, this.#barcodes.chance(0.3) ? '0' : ''));
          return;
        }
        if (this.#corrections?.chance(0.5)) {
          const other = shopify.outside.addProduct(underOtherSkus(record));
          this.#apart.push({ woocommerce: woocommerce.outside.addProduct(record), shopify: other });
          return;
        }
        for (const side of SIDES) this.#world.shops[side].outside.addProduct(record);
        return;
      }
      case 'add_variant': {
        if (!product || product.fields.optionNames.length === 0) return;
        const number = this.#next();
        const removed = this.#again.chance(0.4) ? this.#removed.shift() : undefined;
        if (removed !== undefined) {
          this.#addAgain(removed.shop, removed);
          return;
        }
        outside.addVariant(product.id, {
          fields: makeVariant(random, `SKU-V${number}`, [`Size V${number}`]),
          stock: { tracked: true, quantity: random.int(20) },
        });
        return;
      }
      case 'delete_variant':
        if (!product || !variant || !outside.deleteVariant(variant.stockId)) return;
        // As an import does, which deletes and adds in one go; or somebody who thinks better of it later.
        if (this.#again.chance(0.35)) this.#addAgain(shop, { product, variant });
        else this.#removed.unshift({ shop, product, variant });
        this.#removed.splice(RECENT_MAX);
        return;
      case 'bin_product':
        if (product) outside.deleteProduct(product.id, 'bin');
        return;
      case 'restore_product': {
        const binned = [...shop.shelf.products.values()].filter((each) => each.isTrashed);
        if (binned.length > 0) outside.restore(random.pick(binned).id);
        return;
      }
      case 'delete_product':
        if (product) outside.deleteProduct(product.id, 'hard');
        return;
      case 'toggle_tracking':
        if (!variant) return;
        outside.setTracked(variant.stockId, !variant.isTracked);
        if (this.#habits.chance(0.5))
          outside.editVariant(variant.stockId, 'backorders', this.#habits.pick(BACKORDER_RULES));
        return;
    }
  }

  #addAgain({ outside }: MemoryPlatform, { product, variant }: StockItem): void {
    const regularMinor = (variant.fields.price.regularMinor ?? 1_000) + this.#again.int(3) * 10;
    const price = this.#again.chance(0.3) ? { regularMinor, saleMinor: null } : variant.fields.price;
    const quantity = this.#again.chance(0.6) ? variant.quantity : this.#again.int(20);
    outside.addVariant(product.id, {
      fields: { ...variant.fields, price },
      stock: { tracked: variant.isTracked, quantity },
    });
  }

  /** Mostly one of its own; now and then one that another product bears: whoever has copied it. */
  #editBarcode(shop: MemoryPlatform, variant: VariantRecord, random: SeededRandom): void {
    const others = [...shop.shelf.items.values()]
      .map((item) => item.variant.fields.barcode)
      .filter((code) => code !== '');
    const copied = random.chance(0.2) && others.length > 0 ? random.pick(others) : null;
    shop.outside.editVariant(variant.stockId, 'barcode', copied ?? gtinOf(this.#next() * 10));
  }

  /** One of two that are the same is given the other's SKU, where neither of them has a counterpart yet. */
  #correctSku(random: SeededRandom): boolean {
    const isAlone = (records: PerSide<ProductRecord>) =>
      SIDES.every((side) => {
        const { shelf } = this.#world.shops[otherSide(side)];
        const { isTrashed, variants, id } = records[side];
        const isThere = this.#world.shops[side].shelf.products.has(id) && !isTrashed && variants.length > 0;
        return isThere && variants.every(({ fields }) => shelf.holdersOf(fields.sku).length === 0);
      });
    const alone = this.#apart.filter(isAlone);
    if (alone.length === 0) return false;
    const records = random.pick(alone);
    const side = random.pick(SIDES);
    records[side].variants.forEach((variant, i) => {
      const sku = records[otherSide(side)].variants[i]?.fields.sku;
      if (sku !== undefined && !variant.isArchived) this.#world.shops[side].outside.renameSku(variant.stockId, sku);
    });
    return true;
  }

  #next(): number {
    this.#made += 1;
    return this.#made;
  }

  #product(shop: MemoryPlatform): ProductRecord | null {
    const live = [...shop.shelf.products.values()].filter((each) => !each.isTrashed);
    if (live.length === 0) return null;
    const any = this.#random.pick(live);
    const recent = this.#focus.chance(this.#focused) ? this.#recentIn(shop) : null;
    const sku = any.variants[0]?.fields.sku ?? '';
    if (recent === null && sku !== '') this.#recent.unshift(sku);
    this.#recent.splice(RECENT_MAX);
    return recent ?? any;
  }

  /** One of those that somebody has just turned to, as this shop has it. */
  #recentIn(shop: MemoryPlatform): ProductRecord | null {
    const here = this.#recent.flatMap((sku) => shop.shelf.holdersOf(sku)).filter(({ product }) => !product.isTrashed);
    return here.length === 0 ? null : this.#focus.pick(here).product;
  }

  #variant(product: ProductRecord): VariantRecord | null {
    const live = product.variants.filter((each) => !each.isArchived);
    return live.length === 0 ? null : this.#random.pick(live);
  }

  /** One item by its SKU in both shops: the very case that naive merging gets wrong. */
  #twins(): readonly (readonly [MemoryPlatform, VariantRecord])[] {
    const { woocommerce, shopify } = this.#world.shops;
    const product = this.#product(woocommerce);
    const variant = product === null ? null : this.#variant(product);
    const twin =
      variant === null || variant.fields.sku === '' ? undefined : shopify.shelf.holdersOf(variant.fields.sku)[0];
    return variant === null || twin === undefined || twin.product.isTrashed
      ? []
      : [
          [woocommerce, variant],
          [shopify, twin.variant],
        ];
  }
}
