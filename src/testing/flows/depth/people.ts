import { SIDES, type Side } from '../../../model/platform.ts';
import type { SeededRandom } from '../../simulator/random.ts';
import type { Ledger } from './ledger.ts';
import { type ShelfItem, shelfOf } from './shelf.ts';
import type { DepthWorld } from './world.ts';

const ACTIONS = {
  sell: 40,
  sell_both: 10,
  restock: 8,
  recount: 3,
  edit_title: 6,
  edit_title_both: 2,
  edit_price: 7,
  edit_tags: 4,
  edit_description: 3,
  edit_status: 1,
  rename_sku: 0.7,
  add_product: 2,
  add_both: 0.5,
  add_variant: 1,
  remove_variant: 0.3,
  trash_product: 0.5,
  restore_product: 0.5,
  delete_product: 0.3,
} as const;
type Action = keyof typeof ACTIONS;

const TITLES = ['Enamel mug', 'Linen apron', 'Café tray ☕', 'Glas & Co. "Nr. 5"', "Baker's peel <large>", 'Oak board'];
const TAGS = ['kitchen', 'Camp', 'gift', 'new in', 'home', 'R&D'];

interface Draft {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly variants: readonly {
    readonly sku: string;
    readonly price: string;
    readonly sale: string | null;
    readonly stock: number;
    readonly size: string;
  }[];
}

/** Merchants and shoppers of both stores, through the stores' own admin and till. */
export class People {
  readonly counts = new Map<string, number>();
  readonly #world: DepthWorld;
  readonly #ledger: Ledger;
  readonly #random: SeededRandom;
  readonly #bin: string[] = [];
  #made = 0;

  constructor(world: DepthWorld, ledger: Ledger) {
    this.#world = world;
    this.#ledger = ledger;
    this.#random = world.random.fork('people');
  }

  /** Catalogues: most products in both stores alike, some in one only. */
  stockShelves(count: number): void {
    for (let i = 0; i < count; i += 1) {
      const draft = this.#draft();
      const where = this.#random.weighted({ both: 8, woocommerce: 1, shopify: 1 });
      for (const side of SIDES) if (where === 'both' || where === side) this.#add(side, draft);
    }
  }

  act(): void {
    const action = this.#random.weighted(ACTIONS);
    this.counts.set(action, (this.counts.get(action) ?? 0) + 1);
    const side = this.#random.pick(SIDES);
    const item = this.#pick(shelfOf(this.#world.shops, side));
    this.#ledger.person(() => this.#perform(action, side, item));
  }

  #perform(action: Action, side: Side, item: ShelfItem | null): void {
    const random = this.#random;
    switch (action) {
      case 'add_product':
        this.#add(side, this.#draft());
        return;
      case 'add_both': {
        const draft = this.#draft();
        for (const each of SIDES) this.#add(each, draft);
        return;
      }
      case 'restore_product': {
        const id = this.#bin.pop();
        if (id !== undefined) this.#world.shops.woo.controls.restoreProduct(Number(id));
        return;
      }
      case 'sell_both':
      case 'edit_title_both': {
        const twins = item === null ? [] : this.#twins(item);
        for (const twin of twins) {
          if (action === 'sell_both') this.#sell(twin, 1);
          else this.#edit(twin, { title: `Both ${this.#next()}` });
        }
        return;
      }
      default:
        if (item !== null) this.#touch(action, side, item, random);
    }
  }

  #touch(action: Action, side: Side, item: ShelfItem, random: SeededRandom): void {
    const { woo, shopify } = this.#world.shops;
    const isWoo = side === 'woocommerce';
    const wooRef = Number(item.ref);
    switch (action) {
      case 'sell':
        this.#sell(item, 1 + random.int(2));
        return;
      case 'restock': {
        if (item.stock === null) return;
        const units = 1 + random.int(12);
        if (isWoo) woo.controls.restock(wooRef, units);
        else shopify.controls.restock(item.ref, units);
        return;
      }
      case 'recount': {
        if (item.stock === null) return;
        const count = random.int(30);
        if (isWoo) woo.controls.recount(wooRef, count);
        else shopify.controls.recount(item.ref, count);
        return;
      }
      case 'edit_title':
        this.#edit(item, { title: `${random.pick(TITLES)} no. ${this.#next()}` });
        return;
      case 'edit_description':
        this.#edit(item, { description: `<p>New words & <strong>more</strong>, no. ${this.#next()}.</p>` });
        return;
      case 'edit_tags':
        this.#edit(item, { tags: [...TAGS.filter(() => random.chance(0.4)), `tag ${random.int(30)}`] });
        return;
      case 'edit_status':
        this.#edit(item, { isForSale: random.chance(0.5) });
        return;
      case 'edit_price': {
        // Not cut to half: that is what the guard is for, and tested apart.
        const regular = Math.max(200, Math.round((item.was ?? item.price ?? 1_000) * (0.85 + random.unit() * 0.4)));
        const sale = random.chance(0.2) ? Math.round(regular * 0.9) : null;
        if (isWoo) woo.controls.setPrice(wooRef, money(regular), sale === null ? '' : money(sale));
        else shopify.controls.setPrice(item.ref, money(sale ?? regular), sale === null ? null : money(regular));
        return;
      }
      case 'rename_sku': {
        const sku = `SKU-R${this.#next()}`;
        if (isWoo) woo.controls.setSku(wooRef, sku);
        else shopify.controls.setSku(item.ref, sku);
        return;
      }
      case 'add_variant': {
        if (!item.isVariable) return;
        const number = this.#next();
        const draft = { sku: `SKU-V${number}`, stock: random.int(20) };
        if (isWoo)
          woo.controls.addVariation(Number(item.productId), {
            ...draft,
            regularPrice: '15.00',
            options: { Size: `V${number}` },
          });
        else shopify.controls.addVariant(item.productId, { ...draft, price: '15.00', optionValues: [`V${number}`] });
        return;
      }
      case 'remove_variant': {
        const siblings = shelfOf(this.#world.shops, side).filter((each) => each.productId === item.productId);
        if (siblings.length < 3) return;
        if (isWoo) woo.controls.removeVariation(wooRef);
        else shopify.controls.removeVariant(item.ref);
        return;
      }
      case 'trash_product':
        if (isWoo) {
          woo.controls.trashProduct(Number(item.productId));
          this.#bin.push(item.productId);
        } else shopify.controls.updateProduct(item.productId, { status: 'ARCHIVED' });
        return;
      case 'delete_product':
        if (isWoo) woo.controls.deleteProduct(Number(item.productId), true);
        else shopify.controls.deleteProduct(item.productId);
        return;
    }
  }

  /** As many as there are: neither till sells what its own shelf does not show. */
  #sell(item: ShelfItem, units: number): void {
    if (item.stock === null || item.stock < units || !item.isForSale) return;
    const { woo, shopify } = this.#world.shops;
    if (item.side === 'woocommerce') woo.controls.placeOrder([{ ref: Number(item.ref), quantity: units }]);
    else shopify.controls.placeOrder([{ variant: item.ref, quantity: units }]);
  }

  #edit(
    { side, productId }: ShelfItem,
    {
      description,
      isForSale,
      ...change
    }: { title?: string; description?: string; tags?: string[]; isForSale?: boolean },
  ): void {
    const { woo, shopify } = this.#world.shops;
    if (side === 'woocommerce') {
      woo.controls.updateProduct(Number(productId), {
        ...change,
        ...(description === undefined ? {} : { description }),
        ...(isForSale === undefined ? {} : { status: isForSale ? 'publish' : 'draft' }),
      });
      return;
    }
    shopify.controls.updateProduct(productId, {
      ...change,
      ...(description === undefined ? {} : { descriptionHtml: description }),
      ...(isForSale === undefined ? {} : { status: isForSale ? 'ACTIVE' : 'DRAFT' }),
    });
  }

  #add(side: Side, { title, description, tags, variants }: Draft): void {
    const { woo, shopify } = this.#world.shops;
    const [first] = variants;
    if (first === undefined) return;
    const isVariable = variants.length > 1;
    if (side === 'woocommerce') {
      const forms = variants.map(({ size, price, sale, ...rest }) => ({
        ...rest,
        regularPrice: price,
        ...(sale === null ? {} : { salePrice: sale }),
        options: { Size: size },
      }));
      const { options: _options, ...single } = forms[0] ?? { options: {} };
      woo.controls.addProduct({ title, description, tags, ...(isVariable ? { variations: forms } : single) });
      return;
    }
    const forms = variants.map(({ size, price, sale, ...rest }) => ({
      ...rest,
      price: sale ?? price,
      compareAtPrice: sale === null ? null : price,
      optionValues: [size],
    }));
    const { optionValues: _values, ...single } = forms[0] ?? { optionValues: [] };
    shopify.controls.addProduct({
      title,
      descriptionHtml: description,
      tags,
      ...(isVariable ? { optionNames: ['Size'], variants: forms } : single),
    });
  }

  #draft(): Draft {
    const random = this.#random;
    const number = this.#next();
    const count = random.chance(0.5) ? 1 : 2 + random.int(2);
    return {
      title: `${random.pick(TITLES)} ${number}`,
      description: `<p>Made by hand, no. ${number}.</p>`,
      tags: TAGS.filter(() => random.chance(0.3)),
      variants: Array.from({ length: count }, (_, at) => {
        const regular = 500 + random.int(20_000);
        return {
          sku: `SKU-${number}-${at + 1}`,
          price: money(regular),
          sale: random.chance(0.2) ? money(Math.ceil(regular * 0.8)) : null,
          stock: 5 + random.int(40),
          size: `Size ${at + 1}`,
        };
      }),
    };
  }

  #next(): number {
    this.#made += 1;
    return this.#made;
  }

  #pick(items: readonly ShelfItem[]): ShelfItem | null {
    return items.length === 0 ? null : this.#random.pick(items);
  }

  /** One item by its SKU in both stores: the very case that naive merging gets wrong. */
  #twins(item: ShelfItem): readonly ShelfItem[] {
    const other = SIDES.flatMap((side) => (side === item.side ? [] : shelfOf(this.#world.shops, side))).find(
      (each) => each.sku !== '' && each.sku === item.sku,
    );
    return other === undefined ? [] : [item, other];
  }
}

function money(minor: number): string {
  return (minor / 100).toFixed(2);
}
