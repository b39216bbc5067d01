import type { Side } from '../model/platform.ts';

export interface DemoVariant {
  readonly option: string;
  readonly sku: string;
  readonly price: string;
  readonly stock: number;
}

export interface DemoProduct {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Null: one variant, without options. */
  readonly optionName: string | null;
  readonly variants: readonly [DemoVariant, ...DemoVariant[]];
}

/** The same product as both shops have it, but for what one of them says differently. */
interface Entry extends DemoProduct {
  readonly on: readonly Side[];
  /** What the Shopify shop has instead. */
  readonly shopify?: Partial<DemoProduct>;
}

const BOTH: readonly Side[] = ['woocommerce', 'shopify'];

/** A small homeware shop whose two shelves have drifted apart a little: reason enough to read the plan. No stock is zero, which would need consent. */
const ENTRIES: readonly Entry[] = [
  {
    on: BOTH,
    title: 'Enamel mug',
    description: '<p>Steel, enamelled twice, with a blue rim. Holds 350 ml and does not mind a campfire.</p>',
    tags: ['kitchen', 'camping'],
    optionName: 'Colour',
    variants: [
      { option: 'Cream', sku: 'MUG-CREAM', price: '14.00', stock: 24 },
      { option: 'Forest', sku: 'MUG-FOREST', price: '14.00', stock: 18 },
      { option: 'Midnight', sku: 'MUG-MIDNIGHT', price: '14.00', stock: 9 },
    ],
  },
  {
    on: BOTH,
    title: 'Linen apron',
    description: '<p>Washed European linen with a cross back and two deep pockets.</p>',
    tags: ['kitchen', 'linen'],
    optionName: null,
    variants: [{ option: '', sku: 'APRON-LINEN', price: '48.00', stock: 12 }],
    shopify: { title: 'Linen apron, cross back' },
  },
  {
    on: BOTH,
    title: 'Beeswax candle',
    description: '<p>Poured by hand from local wax. Smells of honey and nothing else.</p>',
    tags: ['home', 'gift'],
    optionName: 'Size',
    variants: [
      { option: 'Small', sku: 'CANDLE-S', price: '12.00', stock: 40 },
      { option: 'Large', sku: 'CANDLE-L', price: '22.00', stock: 16 },
    ],
    shopify: {
      variants: [
        { option: 'Small', sku: 'CANDLE-S', price: '12.00', stock: 40 },
        { option: 'Large', sku: 'CANDLE-L', price: '24.00', stock: 16 },
      ],
    },
  },
  {
    on: BOTH,
    title: 'Terracotta pot',
    description: '<p>Unglazed, thrown on the wheel, with a saucer. Roots breathe through it.</p>',
    tags: ['garden'],
    optionName: 'Diameter',
    variants: [
      { option: '12 cm', sku: 'POT-12', price: '9.50', stock: 32 },
      { option: '18 cm', sku: 'POT-18', price: '15.00', stock: 20 },
      { option: '24 cm', sku: 'POT-24', price: '24.00', stock: 8 },
    ],
  },
  {
    on: BOTH,
    title: 'Stoneware bowl',
    description: '<p>Speckled glaze, straight sides, safe in the oven. Each one a little different.</p>',
    tags: ['kitchen', 'tableware'],
    optionName: null,
    variants: [{ option: '', sku: 'BOWL-STONE', price: '26.00', stock: 15 }],
    shopify: { variants: [{ option: '', sku: 'BOWL-STONE', price: '26.00', stock: 13 }] },
  },
  {
    on: BOTH,
    title: 'Brass watering can',
    description: '<p>A long spout for the back of the windowsill. Ages well.</p>',
    tags: ['garden', 'gift'],
    optionName: null,
    variants: [{ option: '', sku: 'CAN-BRASS', price: '64.00', stock: 6 }],
  },
  {
    on: BOTH,
    title: 'Cotton tea towels, set of two',
    description: '<p>Half twill, woven in Portugal. One plain, one striped.</p>',
    tags: ['kitchen', 'linen'],
    optionName: null,
    variants: [{ option: '', sku: 'TOWEL-2', price: '18.00', stock: 30 }],
    shopify: { tags: ['kitchen', 'linen', 'new'] },
  },
  {
    on: BOTH,
    title: 'Glass storage jar',
    description: '<p>Heat-proof glass with a cork lid that fits.</p>',
    tags: ['kitchen', 'storage'],
    optionName: 'Volume',
    variants: [
      { option: '0.5 l', sku: 'JAR-05', price: '11.00', stock: 22 },
      { option: '1 l', sku: 'JAR-10', price: '15.00', stock: 27 },
    ],
  },
  {
    on: ['woocommerce'],
    title: 'Oak chopping board',
    description: '<p>One piece of oak, oiled, with a juice groove on the back.</p>',
    tags: ['kitchen'],
    optionName: null,
    variants: [{ option: '', sku: 'BOARD-OAK', price: '39.00', stock: 11 }],
  },
  {
    on: ['woocommerce'],
    title: 'Rattan basket',
    description: '<p>Woven tight, with leather handles. Carries logs, laundry or a cat.</p>',
    tags: ['home', 'storage'],
    optionName: null,
    variants: [{ option: '', sku: 'BASKET-RATTAN', price: '54.00', stock: 7 }],
  },
  {
    on: ['shopify'],
    title: 'Wool throw',
    description: '<p>Lambswool from a mill in Wales, 130 by 180 cm, with a plain fringe.</p>',
    tags: ['home', 'gift'],
    optionName: 'Colour',
    variants: [
      { option: 'Oatmeal', sku: 'THROW-OAT', price: '89.00', stock: 5 },
      { option: 'Rust', sku: 'THROW-RUST', price: '89.00', stock: 4 },
    ],
  },
  {
    on: ['shopify'],
    title: 'Ceramic oil bottle',
    description: '<p>Keeps the light out and does not drip.</p>',
    tags: ['kitchen', 'tableware'],
    optionName: null,
    variants: [{ option: '', sku: 'OIL-CERAMIC', price: '32.00', stock: 14 }],
  },
];

export function demoCatalogue(side: Side): readonly DemoProduct[] {
  return ENTRIES.filter((entry) => entry.on.includes(side)).map(({ on: _on, shopify, ...product }) =>
    side === 'shopify' ? { ...product, ...shopify } : product,
  );
}

/** The second WooCommerce shop, which waits for a partner. */
export const OUTLET_CATALOGUE: readonly DemoProduct[] = [
  {
    title: 'Enamel mug, seconds',
    description: '<p>Small flaws, same coffee.</p>',
    tags: ['outlet'],
    optionName: null,
    variants: [{ option: '', sku: 'OUTLET-MUG', price: '7.00', stock: 31 }],
  },
  {
    title: 'Candle ends, mixed bag',
    description: '<p>Half a kilo of beeswax for those who pour their own.</p>',
    tags: ['outlet'],
    optionName: null,
    variants: [{ option: '', sku: 'OUTLET-WAX', price: '9.00', stock: 12 }],
  },
];
