import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import type { VariantId } from '../../model/ids.ts';
import { chooseParts, partsOf, type Suspects, suspectsOf } from './suspects.ts';

const ID = 'var_1' as VariantId;
const FENCE_MS = MINUTE_MS;
const NOTHING = { fields: {}, variants: {}, newVariants: [], archived: [] } as const;
const price = { regularMinor: 900, saleMinor: null };

const part = (print: string) => ({ print });

test('[W8] options and keys go with the variants that come and go by them, and what goes on sale with its price', () => {
  const names = (update: Partial<Parameters<typeof partsOf>[0]>) => [
    ...partsOf({ ...NOTHING, ...update }, NOTHING).keys(),
  ];
  assert.deepEqual(names({ newVariants: [ID] }), ['optionNames']);
  assert.deepEqual(
    names({ fields: { optionNames: ['Size'] }, variants: { [ID]: { optionValues: ['S'] } }, archived: [ID] }),
    ['optionNames'],
  );
  assert.deepEqual(names({ variants: { [ID]: { sku: 'A', barcode: '4', price } }, archived: [ID] }), [
    'optionNames',
    'price',
  ]);
  assert.deepEqual(names({ fields: { status: 'active' }, variants: { [ID]: { price, sku: 'A' } } }), ['price', 'sku']);
  assert.deepEqual(names({ fields: { status: 'draft' }, variants: { [ID]: { price } } }), ['price', 'status']);
  const prints = [price, { ...price, regularMinor: 901 }].map(
    (own) => partsOf({ ...NOTHING, variants: { [ID]: { price: own } } }, NOTHING).get('price')?.print,
  );
  assert.notEqual(prints[0], prints[1]);
});

test('[W8] whatever is never answered: all else arrives, new edits at once, and what is the cause is tried once an hour at most', () => {
  const some = fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(some, some, fc.integer({ min: 0, max: 8 }), (together, causes, edited) => {
      const causeOf = new Set(causes.map((n) => `p${n}`));
      const parts = new Map(together.map((n) => [`p${n}`, part('1')]));
      const prints = () => [...parts].map(([name, { print }]): [string, string] => [name, print]);
      let suspects: Suspects = suspectsOf(prints(), {}, FENCE_MS);
      let now = FENCE_MS;
      let lastHour = 0;
      for (let hours = 0, tries = 0; hours < 30 && parts.size > 0; ) {
        if (tries === 3) parts.set(`p${edited}`, part('2'));
        const choice = chooseParts(parts, suspects, now);
        if (choice.is === 'all') {
          assert.ok(choice.until > now && choice.until <= now + HOUR_MS);
          now = choice.until;
          hours = now / HOUR_MS;
          continue;
        }
        const left = new Set(choice.is === 'some' ? choice.left : []);
        const sent = prints().filter(([name]) => !left.has(name));
        assert.ok(sent.length > 0);
        if (tries === 3)
          assert.ok(
            sent.some(([name]) => name === `p${edited}`),
            'an edit need not wait',
          );
        tries += 1;
        if (now > 28 * HOUR_MS) lastHour += 1;
        const waiting = Object.entries(suspects).filter(([name]) => left.has(name));
        const isAnswered = !sent.some(([name]) => causeOf.has(name));
        const after = isAnswered ? {} : suspectsOf(sent, suspects, now + FENCE_MS);
        suspects = { ...Object.fromEntries(waiting), ...after };
        if (isAnswered) for (const [name] of sent) parts.delete(name);
        else now += FENCE_MS;
      }
      assert.ok(
        [...parts.keys()].every((name) => causeOf.has(name)),
        'only the cause waits',
      );
      assert.ok(lastHour <= 3 * parts.size, `${lastHour} tries of ${parts.size} in two hours`);
    }),
  );
});

test('[W8] what is left when one of two is not owed any more is another write, and a person is not kept waiting', () => {
  const both = new Map([
    ['title', part('1')],
    ['tags', part('1')],
  ]);
  const suspects = suspectsOf(
    [...both].map(([name, { print }]) => [name, print] as const),
    {},
    0,
  );
  assert.equal(chooseParts(both, suspects, 1).is, 'all');
  both.delete('tags');
  assert.equal(chooseParts(both, suspects, 1).is, 'none');
  both.set('tags', part('1'));
  const asked = Object.fromEntries(Object.entries(suspects).map(([name, own]) => [name, { ...own, until: 0 }]));
  assert.equal(chooseParts(both, asked, 1).is, 'none');
  assert.deepEqual(chooseParts(both, suspects, HOUR_MS), { is: 'some', left: ['tags'] });
});
