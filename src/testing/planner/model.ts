import { represent as shopifyRepresent } from '../../connectors/shopify/represent.ts';
import { representProduct as wooRepresent } from '../../connectors/woocommerce/represent.ts';
import { mayFollow, mayLead } from '../../core/direction.ts';
import { attachBase } from '../../core/link.ts';
import { reconcile } from '../../core/reconcile.ts';
import type { Reconciliation, SideInput, SideWrite } from '../../core/reconciliation.ts';
import { canonicalOf, matchVariants, underCodesOf } from '../../core/variants.ts';
import type { FieldSeen } from '../../model/hub.ts';
import type { VariantId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Edit } from './draws.ts';

/** A shop with one product, as a pure value: what it is given it keeps in its own lossy way. */
export interface Shelf {
  readonly fields: ProductFields;
  readonly variants: Readonly<Record<string, VariantFields>>;
  readonly made: number;
}

/** What we remember of the pair of products; a side without a base is not linked yet. */
export interface Memory {
  readonly hub: CanonicalProduct | null;
  readonly seen: FieldSeen;
  readonly bases: Partial<PerSide<CanonicalProduct>>;
  readonly bound: PerSide<ReadonlyMap<string, VariantId>>;
  readonly removed: ReadonlySet<VariantId | undefined>;
  readonly minted: number;
}

export interface Scene {
  readonly represent: Represent;
  readonly shelves: PerSide<Shelf>;
  readonly memory: Memory;
}

export type Represent = PerSide<(product: CanonicalProduct) => CanonicalProduct>;

/** Products here are values that never change: what one of them looks like over there is found out once. */
function remembered(represent: (product: CanonicalProduct) => CanonicalProduct): typeof represent {
  const known = new WeakMap<CanonicalProduct, CanonicalProduct>();
  return (product) => {
    const shown = known.get(product) ?? represent(product);
    known.set(product, shown);
    return shown;
  };
}

/** The shops are lossy in the very way of the real connectors. */
export const LOSSY: Represent = {
  woocommerce: remembered(wooRepresent),
  shopify: remembered((product) => shopifyRepresent(product, 'EUR')),
};

/** Each shop holds whatever it is given. */
export const LOSSLESS: Represent = { woocommerce: (product) => product, shopify: (product) => product };

/** WooCommerce can put a variant away without deleting it; Shopify can't. */
const CAN_ARCHIVE: PerSide<boolean> = { woocommerce: true, shopify: false };

export const NOTHING: Memory = {
  hub: null,
  seen: {},
  bases: {},
  bound: { woocommerce: new Map(), shopify: new Map() },
  removed: new Set(),
  minted: 0,
};

type Hold = (shelf: Shelf) => Shelf;

export function shelve(
  represent: Represent,
  side: Side,
  fields: ProductFields,
  variants: readonly VariantFields[],
): Shelf {
  const hold = holdAs(represent, side);
  const empty: Shelf = { fields, variants: {}, made: 0 };
  return variants.reduce((shelf, variant) => add(side, shelf, variant, hold).shelf, hold(empty));
}

/** What the platform makes of what it was given. */
function holdAs(represent: Represent, side: Side): Hold {
  return (shelf) => {
    const shown = represent[side]({ fields: shelf.fields, variants: shelf.variants });
    return { ...shelf, fields: shown.fields, variants: shown.variants };
  };
}

function add(
  side: Side,
  shelf: Shelf,
  fields: VariantFields,
  hold: Hold,
): { readonly shelf: Shelf; readonly externalId: string } {
  const made = shelf.made + 1;
  const externalId = `${side}-${made}`;
  return { externalId, shelf: hold({ ...shelf, made, variants: { ...shelf.variants, [externalId]: fields } }) };
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

export function edit(scene: Scene, change: Edit): Scene {
  const { side } = change;
  const shelf = scene.shelves[side];
  const next = editShelf(side, shelf, change, holdAs(scene.represent, side));
  return { ...scene, shelves: { ...scene.shelves, [side]: next } };
}

function editShelf(side: Side, shelf: Shelf, change: Edit, hold: Hold): Shelf {
  const ids = Object.keys(shelf.variants);
  if (change.do === 'field')
    return hold({ ...shelf, fields: { ...shelf.fields, [change.name]: change.value } as ProductFields });
  if (change.do === 'add') return add(side, shelf, change.fields, hold).shelf;
  const id = ids[change.at % Math.max(1, ids.length)];
  if (id === undefined) return shelf;
  if (change.do === 'remove') return ids.length < 2 ? shelf : hold({ ...shelf, variants: without(shelf.variants, id) });
  const own = { ...shelf.variants[id], [change.name]: change.value } as VariantFields;
  return hold({ ...shelf, variants: { ...shelf.variants, [id]: own } });
}

function snapshotOf(side: Side, shelf: Shelf): ProductSnapshot {
  return {
    externalId: `${side}-product`,
    fields: shelf.fields,
    variants: Object.entries(shelf.variants).map(([externalId, fields]) => ({
      externalId,
      stockId: externalId,
      fields,
      stock: { tracked: false, quantity: 0, stamp: null },
    })),
    marks: [],
    trashed: false,
    unsyncable: null,
    modifiedAt: null,
    adminUrl: '',
    imageUrl: '',
    passthrough: null,
  };
}

/** One look at some of the sides: what was decided, what we remember from now on, and what is to be sent. */
export interface Look {
  readonly reconciliation: Reconciliation;
  readonly memory: Memory;
  readonly remotes: Partial<PerSide<CanonicalProduct>>;
  readonly archive: Partial<PerSide<readonly string[]>>;
}

/** The decision of the engine (`engine/products/decide.ts`) on pure values; `order` is the order in which the readings are absorbed. */
export function look(
  scene: Scene,
  read: readonly Side[],
  order: readonly Side[],
  settings: PairSettings,
  now: number,
): Look {
  const { memory, shelves } = scene;
  const first = SIDES.find((side) => read.includes(side)) ?? 'woocommerce';
  let hub: CanonicalProduct = memory.hub ?? { fields: shelves[first].fields, variants: {} };
  let { minted } = memory;
  const bound = { woocommerce: new Map(memory.bound.woocommerce), shopify: new Map(memory.bound.shopify) };
  const removed = new Set<VariantId | undefined>(memory.removed);
  const remotes: Partial<PerSide<CanonicalProduct>> = {};
  const archive: Partial<PerSide<readonly string[]>> = {};
  const gone: VariantId[] = [];
  for (const side of [...SIDES].sort((a, b) => Number(mayLead(b, settings)) - Number(mayLead(a, settings)))) {
    if (!read.includes(side)) continue;
    const other = otherSide(side);
    const told = mayLead(other, settings) ? remotes[other] : undefined;
    const match = matchVariants(underCodesOf(hub, told), bound[side], snapshotOf(side, shelves[side]));
    const known = new Map(match.known);
    const isFirst = memory.bases[otherSide(side)] === undefined;
    for (const variant of match.added) {
      if (!mayLead(side, settings) && !isFirst) continue;
      minted += 1;
      const id = `var_${minted}` as VariantId;
      known.set(id, variant);
      hub = { ...hub, variants: { ...hub.variants, [id]: variant.fields } };
    }
    for (const [id, variant] of known) bound[side].set(variant.externalId, id);
    for (const id of match.missing) if (!removed.has(id) && mayLead(side, settings)) gone.push(id);
    remotes[side] = canonicalOf(
      snapshotOf(side, shelves[side]),
      new Map([...known].filter(([id]) => !removed.has(id))),
    );
  }
  const inputs: SideInput[] = [];
  for (const side of order) {
    const remote = remotes[side] ?? null;
    const base = memory.bases[side];
    const represent = scene.represent[side];
    if (base === undefined && remote === null) continue;
    const attached = remote === null ? null : attachBase({ side, shown: represent(hub), remote, settings });
    const merged = base === undefined ? attached : { ...base, variants: { ...attached?.variants, ...base.variants } };
    if (merged !== null) inputs.push({ side, base: merged, remote, represent, readAt: now });
  }
  const reconciliation = reconcile({ hub, seen: memory.seen, sides: inputs, settings });
  let after = reconciliation.hub;
  for (const id of gone) {
    removed.add(id);
    after = { ...after, variants: without(after.variants, id) };
  }
  for (const side of SIDES) {
    if (!CAN_ARCHIVE[side] || !mayFollow(side, settings)) continue;
    archive[side] = Object.keys(shelves[side].variants).filter((externalId) =>
      removed.has(bound[side].get(externalId)),
    );
  }
  const bases: Partial<PerSide<CanonicalProduct>> = { ...memory.bases };
  for (const side of order) {
    const result = reconciliation.sides[side];
    if (result === undefined) continue;
    const variants = Object.fromEntries(
      Object.entries(result.base.variants).filter(([id]) => !removed.has(id as VariantId)),
    );
    bases[side] = { ...result.base, variants };
  }
  return {
    reconciliation,
    remotes,
    archive,
    memory: { hub: after, seen: reconciliation.seen, bases, bound, removed, minted },
  };
}

/** Sends one side's write and settles it: what was sent is the base from then on. */
export function send(scene: Scene, side: Side, write: SideWrite | null, archive: readonly string[] = []): Scene {
  const { memory } = scene;
  const hold = holdAs(scene.represent, side);
  const { hub } = memory;
  const base = memory.bases[side];
  let shelf = scene.shelves[side];
  for (const id of archive) shelf = { ...shelf, variants: without(shelf.variants, id) };
  if (write === null || hub === null || base === undefined)
    return { ...scene, shelves: { ...scene.shelves, [side]: shelf } };
  const shown = scene.represent[side](hub);
  const bound = new Map(memory.bound[side]);
  const fields: Record<string, unknown> = { ...base.fields };
  const variants: Record<VariantId, VariantFields> = { ...base.variants };
  shelf = { ...shelf, fields: { ...shelf.fields, ...write.fields } };
  for (const name of Object.keys(write.fields) as (keyof ProductFields)[]) fields[name] = shown.fields[name];
  for (const [externalId, id] of memory.bound[side]) {
    const own = write.variants[id];
    const there = shelf.variants[externalId];
    const old = variants[id];
    if (own === undefined || there === undefined || old === undefined) continue;
    shelf = { ...shelf, variants: { ...shelf.variants, [externalId]: { ...there, ...own } } };
    const laid: Record<string, unknown> = { ...old };
    for (const name of Object.keys(own) as (keyof VariantFields)[]) laid[name] = shown.variants[id]?.[name];
    variants[id] = laid as unknown as VariantFields;
  }
  shelf = hold(shelf);
  for (const id of write.newVariants) {
    const own = hub.variants[id];
    const asShown = shown.variants[id];
    if (own === undefined || asShown === undefined) continue;
    const made = add(side, shelf, own, hold);
    shelf = made.shelf;
    bound.set(made.externalId, id);
    variants[id] = asShown;
  }
  return {
    ...scene,
    shelves: { ...scene.shelves, [side]: shelf },
    memory: {
      ...memory,
      bases: { ...memory.bases, [side]: { fields: fields as unknown as ProductFields, variants } },
      bound: { ...memory.bound, [side]: bound },
    },
  };
}
