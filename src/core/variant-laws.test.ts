// The laws of a list with identity, as the others have theirs (sets: merge-field.test.ts, counters: stock.test.ts): who is who in it, and how it merges.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gtinKey, skuKey } from '../lib/record-keys.ts';
import type { VariantId } from '../model/ids.ts';
import { otherSide, SIDES, type Side } from '../model/platform.ts';
import type { VariantFields } from '../model/product.ts';
import type { VariantSnapshot } from '../model/snapshot.ts';
import { type Edit, VARIANT_EDITS } from '../testing/planner/draws.ts';
import { edit, LOSSLESS, type Look, look, NOTHING, type Scene, send, shelve } from '../testing/planner/model.ts';
import { fields, product, settings, snapshot, variant, variantSnapshot } from '../testing/support/products.ts';
import { variantPath } from './fields.ts';
import { matchVariants, optionKey, pairUp } from './variants.ts';

const RUNS = { numRuns: 1_000 };

// Who is who.

/** Few of each kind, so that most lists have some twice, and in spellings that say the same. */
const sku = fc.constantFrom('', ' ', 'A', 'a ', 'B', 'C', 'c');
const barcode = fc.constantFrom('', '4006381333931', '04006381333931', '96385074', 'no gtin');
const option = fc.constantFrom('S', 's ', 'M', 'L');
const bearer = fc
  .record({ sku, barcode, option })
  .map(({ option: value, ...own }) => variant({ ...own, optionValues: [value] }));
const list = fc.array(bearer, { maxLength: 5 });

const candidates = (variants: readonly VariantFields[]) => variants.map((own, item) => ({ item, fields: own }));
const pairsOf = (left: readonly VariantFields[], right: readonly VariantFields[]) =>
  [...pairUp(candidates(left), candidates(right))].map(([a, b]) => [a, b] as const).sort(([a], [b]) => a - b);

/** The three kinds of key, the strongest first. */
const KINDS = [
  ({ sku: own }: VariantFields) => skuKey(own) || null,
  ({ barcode: own }: VariantFields) => gtinKey(own),
  ({ optionValues }: VariantFields) => optionKey(optionValues),
] as const;
const keysOf = (own: VariantFields) => KINDS.map((keyOf) => keyOf(own));

test('[V2] laws of the key by which options are told: spelled otherwise it is the same, and each value counts at its place', () => {
  const WORDS = ['Rot', 'Grün', 'S & M', 'Tom\u2019s', 'XL', ''];
  const spell = (word: string, how: number) =>
    [
      word.toUpperCase(),
      `  ${word.replaceAll(' ', '\u00a0 ')}\n`,
      word.replaceAll('&', '&amp;'),
      word.replaceAll('\u2019', "'"),
    ][how];
  const words = fc.array(fc.tuple(fc.constantFrom(...WORDS), fc.nat(3)), { maxLength: 3 });
  fc.assert(
    fc.property(words, words, (own, other) => {
      const [plain, theirs] = [own, other].map((all) => all.map(([word]) => word));
      const spelled = own.map(([word, how]) => spell(word, how) ?? '');
      assert.equal(optionKey(spelled), optionKey(plain ?? []));
      if ((plain?.length ?? 0) !== theirs?.length) return;
      assert.equal(optionKey(spelled) === optionKey(theirs), plain?.join('|') === theirs.join('|'));
    }),
    RUNS,
  );
});

test('[V2] laws of who is who: nobody is two, nobody is guessed, and who is recognised shares a key', () => {
  fc.assert(
    fc.property(list, list, (left, right) => {
      const pairs = pairsOf(left, right);
      for (const end of [0, 1] as const)
        assert.equal(new Set(pairs.map((pair) => pair[end])).size, pairs.length, 'each at most once');
      const isTwin = (own: VariantFields, all: readonly VariantFields[]) =>
        all.some((other) => other !== own && keysOf(other).join() === keysOf(own).join());
      for (const [a, b] of pairs) {
        const [own, other] = [left[a], right[b]];
        assert.ok(own && other);
        assert.ok(
          KINDS.some((keyOf) => keyOf(own) !== null && keyOf(own) === keyOf(other)),
          'they share a key',
        );
        assert.ok(!isTwin(own, left) && !isTwin(other, right), 'which of two that are alike was not guessed');
      }
    }),
    RUNS,
  );
});

test('[V2] laws of who is who: neither the order of a list matters nor which list is asked for the other', () => {
  const shuffled = list.chain((own) =>
    fc.tuple(
      fc.constant(own),
      fc.shuffledSubarray(
        own.map((_, i) => i),
        { minLength: own.length },
      ),
    ),
  );
  fc.assert(
    fc.property(shuffled, shuffled, ([left, lefts], [right, rights]) => {
      const pairs = pairsOf(left, right);
      const moved = pairsOf(
        lefts.map((i) => left[i] as VariantFields),
        rights.map((i) => right[i] as VariantFields),
      );
      const told = moved.map(([a, b]) => [lefts[a], rights[b]] as const);
      assert.deepEqual(
        told.sort(([a = 0], [b = 0]) => a - b),
        pairs,
      );
      assert.deepEqual(
        pairsOf(right, left)
          .map(([b, a]) => [a, b])
          .sort(([a = 0], [b = 0]) => a - b),
        pairs,
      );
    }),
    RUNS,
  );
});

test('[V2] laws of who is who: the strongest key that is unique on both lists decides, and of one kind nothing else does', () => {
  const BLANK = [{ sku: '' }, { barcode: '' }];
  fc.assert(
    fc.property(list, list, fc.constantFrom(0, 1, 2), (lefts, rights, kind) => {
      const keyOf = KINDS[kind] as (typeof KINDS)[number];
      // Nothing stronger tells them apart.
      const only = (all: readonly VariantFields[]) =>
        all.map((own): VariantFields => Object.assign({}, own, ...BLANK.slice(0, kind)));
      const [left, right] = [only(lefts), only(rights)];
      const bearers = (all: readonly VariantFields[], key: string) =>
        all.flatMap((own, i) => (keyOf(own) === key ? [i] : []));
      const expected = [...new Set(left.flatMap((own) => keyOf(own) ?? []))].flatMap((key) => {
        const [a, b] = [bearers(left, key), bearers(right, key)];
        return a.length === 1 && b.length === 1 ? [`${a[0]}:${b[0]}`] : [];
      });
      const pairs = pairsOf(left, right).map((pair) => pair.join(':'));
      for (const pair of expected) assert.ok(pairs.includes(pair), `${pair} are one by their strongest key`);
      // With nothing weaker either, these are all.
      const bare = (all: readonly VariantFields[], name: string) =>
        all.map(
          (own, i): VariantFields => ({
            ...own,
            barcode: kind === 1 ? own.barcode : '',
            optionValues: kind === 2 ? own.optionValues : [name + i],
          }),
        );
      const alone = pairsOf(bare(left, 'left '), bare(right, 'right ')).map((pair) => pair.join(':'));
      assert.deepEqual(alone.sort(), expected.sort());
    }),
    RUNS,
  );
});

test('[V1, V2, V3, V4] laws of a reading: what is bound stays what it is, and each variant is known, new or gone, once', () => {
  const bindings = fc.uniqueArray(fc.tuple(fc.nat(5), fc.nat(4)), { maxLength: 4, selector: ([shown]) => shown });
  fc.assert(
    fc.property(list, list, bindings, (held, shown, ties) => {
      const ids = held.map((_, i) => `var_${i}` as VariantId);
      const hub = product({ optionNames: ['Size'] }, Object.fromEntries(held.map((own, i) => [`var_${i}`, own])));
      const bound = new Map<string, VariantId>();
      for (const [at, to] of ties) {
        const id = ids[to];
        // What is bound to no. 5 at the most is not shown any more.
        if (id !== undefined && ![...bound.values()].includes(id)) bound.set(`v${at}`, id);
      }
      const variants = shown.map((own, i) => variantSnapshot(`v${i}`, own));
      const reading = snapshot({ fields: fields({ optionNames: ['Size'] }), variants });
      const { known, recognised, added, missing } = matchVariants(hub, bound, reading);
      for (const one of variants) {
        const id = bound.get(one.externalId);
        if (id !== undefined) assert.equal(known.get(id)?.externalId, one.externalId, 'bound, and never matched again');
      }
      const boundIds = [...bound.values()];
      assert.deepEqual(
        recognised.filter((id) => boundIds.includes(id)),
        [],
        'nobody else is taken for what is bound',
      );
      const all = [...known.values(), ...added].map(({ externalId }) => externalId);
      assert.deepEqual(
        all.sort(),
        variants.map(({ externalId }) => externalId),
        'each one shown is known or new',
      );
      assert.deepEqual(
        [...known.keys()].sort(),
        [...recognised, ...boundIds.filter((id) => !missing.includes(id))].sort(),
        'each one known is bound or recognised',
      );
    }),
    RUNS,
  );
});

const NAMES = ['Size', 'Color', 'Fit'];
const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
const laid = <T>(own: readonly T[], by: readonly number[]) => by.map((i) => own[i] as T);
const worn = fc.uniqueArray(fc.tuple(...NAMES.map(() => fc.constantFrom<string>('a', 'b', 'c'))), {
  minLength: 1,
  maxLength: 4,
  selector: (values) => values.join(),
});

test('[V2, R4] laws of who is who: in whatever order a shop has its options, its variants are the same ones', () => {
  fc.assert(
    fc.property(worn, worn, order, (held, shown, by) => {
      const hub = product(
        { optionNames: NAMES },
        Object.fromEntries(held.map((optionValues, i) => [`var_${i}`, variant({ sku: '', optionValues })])),
      );
      const read = (sequence: readonly number[]) => {
        const reading = snapshot({
          fields: fields({ optionNames: laid(NAMES, sequence) }),
          variants: shown.map((own, i) => variantSnapshot(`v${i}`, { sku: '', optionValues: laid(own, sequence) })),
        });
        const { known, added } = matchVariants(hub, new Map(), reading);
        const tell = ({ externalId }: VariantSnapshot) => externalId;
        return [[...known].map(([id, own]) => `${id} ${tell(own)}`).sort(), added.map(tell)];
      };
      assert.deepEqual(read(by), read([0, 1, 2]));
    }),
    RUNS,
  );
});

// How it merges.

const ASKED = settings({ conflictResolution: 'manual' });
type Name = (typeof VARIANT_EDITS)[number];

/** Values that mean different things, by number. Below 10: what the variant of that number has from the start. */
function valueNo(name: Name, n: number): VariantFields[Name] {
  switch (name) {
    case 'sku':
      return `SKU-${n}`;
    case 'barcode':
      return `No. ${n}`;
    case 'price':
      return { regularMinor: 1_000 + n, saleMinor: null };
    case 'weightMg':
      return n * 1_000;
    case 'optionValues':
      return [`Size ${n}`];
    case 'backorders':
      return n < 10 ? 'no' : n % 2 === 0 ? 'yes' : 'notify';
  }
}

const numbered = (n: number): VariantFields =>
  variant(Object.fromEntries(VARIANT_EDITS.map((name) => [name, valueNo(name, n)])));

interface Move {
  readonly at: number;
  readonly name: Name;
  readonly to: number;
}

const count = fc.integer({ min: 1, max: 4 });
const moves = fc.array(
  fc.record({ at: fc.nat(3), name: fc.constantFrom(...VARIANT_EDITS), to: fc.integer({ min: 10, max: 12 }) }),
  { maxLength: 6 },
);

const lookAt = (scene: Scene): Look => look(scene, SIDES, SIDES, ASKED, 1_000);

function carry(scene: Scene, seen: Look): Scene {
  let next: Scene = { ...scene, memory: seen.memory };
  for (const side of SIDES) next = send(next, side, seen.reconciliation.sides[side]?.write ?? null, seen.archive[side]);
  return next;
}

/** One product in both shops, linked and level. */
function linked(size: number): Scene {
  const variants = Array.from({ length: size }, (_, i) => numbered(i));
  const shelf = (side: Side) => shelve(LOSSLESS, side, fields({ optionNames: ['Size'] }), variants);
  const start = {
    represent: LOSSLESS,
    memory: NOTHING,
    shelves: { woocommerce: shelf('woocommerce'), shopify: shelf('shopify') },
  };
  return carry(start, lookAt(start));
}

const editsOf = (side: Side, size: number, list: readonly Move[]): Edit[] =>
  list.map(({ at, name, to }) => ({ side, do: 'variant', at: at % size, name, value: valueNo(name, to) }));
const play = (scene: Scene, edits: readonly Edit[]): Scene => edits.reduce(edit, scene);

/** What a shop shows, by who it is. */
const shownBy = ({ shelves, memory }: Scene, side: Side): Record<string, VariantFields> =>
  Object.fromEntries(
    Object.entries(shelves[side].variants).map(([id, own]) => [memory.bound[side].get(id) ?? `new ${id}`, own]),
  );
const writesOf = ({ reconciliation: { sides } }: Look) => SIDES.map((side) => sides[side]?.write ?? null);
const conflictsOf = ({ reconciliation: { sides } }: Look) =>
  SIDES.flatMap((side) => sides[side]?.conflicts.map(({ path }) => path) ?? []);

function isAtRest(scene: Scene): void {
  const again = lookAt(scene);
  assert.deepEqual(writesOf(again), [null, null], 'nothing is left to write');
  assert.deepEqual(again.reconciliation.changes, [], 'the hub has come to rest');
  assert.deepEqual(again.memory.hub, scene.memory.hub);
}

test('[R1, R2, R3, R4, R12] laws of a list: its members merge one by one and field by field, as three values each say, and once', () => {
  fc.assert(
    fc.property(count, moves, moves, (size, woo, shop) => {
      const start = linked(size);
      isAtRest(start);
      const after = play(start, [...editsOf('woocommerce', size, woo), ...editsOf('shopify', size, shop)]);
      const base = shownBy(start, 'woocommerce');
      const before = { woocommerce: shownBy(after, 'woocommerce'), shopify: shownBy(after, 'shopify') };
      const seen = lookAt(after);
      const end = carry(after, seen);
      const ended = SIDES.map((side) => shownBy(end, side));
      const open: string[] = [];
      for (const id of Object.keys(base) as VariantId[]) {
        for (const name of VARIANT_EDITS) {
          const [was, w, s] = [base, before.woocommerce, before.shopify].map((all) => JSON.stringify(all[id]?.[name]));
          const ends = ended.map((all) => JSON.stringify(all[id]?.[name]));
          const isConflict = w !== was && s !== was && w !== s;
          if (isConflict) open.push(variantPath(id, name));
          assert.deepEqual(ends, isConflict ? [w, s] : w === was ? [s, s] : [w, w], `${id} ${name}`);
        }
      }
      assert.deepEqual(
        [...new Set(conflictsOf(seen))].sort(),
        open.sort(),
        'a person is asked about these and no others',
      );
      isAtRest(end);
    }),
    RUNS,
  );
});

test('[R1, R3] laws of a list: a side that moved alone is written nothing, and two that did the same are written nothing', () => {
  fc.assert(
    fc.property(count, moves, fc.constantFrom(...SIDES), (size, list, side) => {
      const start = linked(size);
      const alone = lookAt(play(start, editsOf(side, size, list)));
      assert.equal(alone.reconciliation.sides[side]?.write, null);
      const both = lookAt(
        play(
          start,
          SIDES.flatMap((each) => editsOf(each, size, list)),
        ),
      );
      assert.deepEqual([writesOf(both), conflictsOf(both)], [[null, null], []]);
      assert.deepEqual(both.memory.hub, alone.memory.hub);
    }),
    RUNS,
  );
});

test('[V2, V3] laws of a list: what both sides added is on both, once; what both added alike is one', () => {
  const added = fc.uniqueArray(fc.integer({ min: 20, max: 24 }), { maxLength: 3 });
  fc.assert(
    fc.property(count, moves, added, added, (size, list, woo, shop) => {
      const add = (side: Side, numbers: readonly number[]): Edit[] =>
        numbers.map((n) => ({ side, do: 'add', fields: numbered(n) }));
      const start = play(linked(size), editsOf('woocommerce', size, list));
      const after = play(start, [...add('woocommerce', woo), ...add('shopify', shop)]);
      const seen = lookAt(after);
      const end = carry(after, seen);
      assert.deepEqual(conflictsOf(seen), []);
      assert.deepEqual(shownBy(end, 'shopify'), shownBy(end, 'woocommerce'));
      const expected = [...Object.values(start.shelves.woocommerce.variants).map((own) => own.sku)];
      for (const n of new Set([...woo, ...shop])) expected.push(`SKU-${n}`);
      assert.deepEqual(
        Object.values(shownBy(end, 'shopify'))
          .map((own) => own.sku)
          .sort(),
        expected.sort(),
      );
      isAtRest(end);
    }),
    RUNS,
  );
});

test('[V4] laws of a list: what one side removed is put away on the other where that can be, is never taken for new, and the rest is as it was', () => {
  const kept = fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(kept, moves, fc.constantFrom(...SIDES), (left, list, side) => {
      const other = otherSide(side);
      const start = linked(4);
      const ids = Object.keys(start.shelves[side].variants);
      const rest = Object.fromEntries(left.map((at) => [ids[at], start.shelves[side].variants[ids[at] ?? '']]));
      const cut = { ...start.shelves[side], variants: rest as Readonly<Record<string, VariantFields>> };
      // An edit on the other side that had not arrived does not hold it up.
      const edited = play({ ...start, shelves: { ...start.shelves, [side]: cut } }, editsOf(other, 4, list));
      const seen = lookAt(edited);
      const end = carry(edited, seen);
      const living: string[] = left.map((at) => start.memory.bound[side].get(ids[at] ?? '') ?? '').sort();
      assert.deepEqual(Object.keys(end.memory.hub?.variants ?? {}).sort(), living);
      assert.deepEqual(Object.keys(shownBy(end, side)).sort(), living, 'it does not come back');
      const write = seen.reconciliation.sides[side]?.write;
      for (const id of [...Object.keys(write?.variants ?? {}), ...(write?.newVariants ?? [])])
        assert.ok(living.includes(id), 'nothing is written to what is gone, nor is it made again');
      const [there, before] = [shownBy(end, other), shownBy(edited, other)];
      for (const id of Object.keys(before))
        if (other === 'woocommerce' && !living.includes(id)) assert.equal(there[id], undefined, 'put away');
        else assert.deepEqual(there[id], before[id]);
      isAtRest(end);
      isAtRest(carry(end, lookAt(end)));
    }),
    RUNS,
  );
});

test('[R4, V2] laws of a list: options in another order carry each value under its own name, and meet what the other side made of it there', () => {
  const anyMove = fc.record({ at: fc.nat(3), name: fc.nat(2), does: fc.constantFrom('nothing', 'edit', 'add') });
  fc.assert(
    fc.property(worn, order, anyMove, fc.constantFrom(...SIDES), (held, by, { at, name, does }, side) => {
      const other = otherSide(side);
      const shelf = (each: Side, sequence: readonly number[], all: readonly (readonly string[])[]) =>
        shelve(
          LOSSLESS,
          each,
          fields({ optionNames: laid(NAMES, sequence) }),
          all.map((own, i) => variant({ sku: `SKU-${i}`, optionValues: laid(own, sequence) })),
        );
      const level = { woocommerce: shelf('woocommerce', [0, 1, 2], held), shopify: shelf('shopify', [0, 1, 2], held) };
      const first: Scene = { represent: LOSSLESS, memory: NOTHING, shelves: level };
      const start = carry(first, lookAt(first));
      const ends = held.map((own, i) => (does === 'edit' && i === at % held.length ? own.with(name, 'new') : own));
      if (does === 'add') ends.push(['new', 'new', 'new']);
      const edited = {
        ...start,
        shelves: { ...level, [side]: shelf(side, by, held), [other]: shelf(other, [0, 1, 2], ends) },
      };
      const seen = lookAt(edited);
      const end = carry(edited, seen);
      assert.deepEqual(conflictsOf(seen), []);
      for (const each of SIDES) assert.deepEqual(end.shelves[each], shelf(each, by, ends), each);
      isAtRest(end);
    }),
    RUNS,
  );
});
