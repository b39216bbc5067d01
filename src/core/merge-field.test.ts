import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CONFLICT_POLICIES, type ConflictPolicy } from '../model/pair.ts';
import { SIDES, type Side } from '../model/platform.ts';
import { PRODUCT_FIELDS } from './fields.ts';
import { type ConflictDecision, decideConflict, judgeRegister, mergeSet } from './merge-field.ts';
import { tagKey } from './normalise.ts';

test('[R1, R2, R3, R4] three values decide over a register', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    // base, hub, remote
    ['a', 'a', 'a', 'agreed'],
    ['a', 'b', 'b', 'agreed'],
    ['a', 'b', 'a', 'unchanged'],
    ['a', 'a', 'b', 'moved'],
    ['a', 'b', 'c', 'both_moved'],
    ['', 'b', 'c', 'both_moved'],
    ['a', 'Tom &amp; Co', 'Tom & Co', 'agreed'],
    ['Tom & Co', 'b', 'Tom &amp; Co', 'unchanged'],
  ];
  for (const [base, hub, remote, expected] of cases) {
    assert.equal(judgeRegister(PRODUCT_FIELDS.title, base, hub, remote).is, expected, `${base} / ${hub} / ${remote}`);
  }
});

test('[R5, R6, R7] who wins a register that both moved', () => {
  const early = 1_000;
  const late = 2_000;
  type Row = readonly [ConflictPolicy, Side, { side: Side; at: number } | null, Side, ConflictDecision, number?];
  const other = { side: 'woocommerce' as const, at: early };
  const rows: readonly Row[] = [
    // policy, side that is read, who moved the hub and when, preferred side, decision, since when its value is held
    ['woocommerce', 'shopify', other, 'shopify', 'hub'],
    ['woocommerce', 'woocommerce', other, 'shopify', 'remote'],
    ['shopify', 'shopify', other, 'woocommerce', 'remote'],
    ['newest', 'shopify', other, 'woocommerce', 'remote'],
    ['oldest', 'shopify', other, 'shopify', 'hub'],
    ['newest', 'shopify', { side: 'woocommerce', at: late }, 'woocommerce', 'hub'],
    ['newest', 'shopify', { side: 'woocommerce', at: late }, 'shopify', 'remote'],
    ['oldest', 'shopify', { side: 'woocommerce', at: late }, 'shopify', 'remote'],
    // Held in a conflict, and seen before the hub moved again.
    ['newest', 'shopify', { side: 'woocommerce', at: late }, 'shopify', 'hub', early],
    ['oldest', 'shopify', { side: 'woocommerce', at: late }, 'woocommerce', 'remote', early],
    ['newest', 'shopify', other, 'woocommerce', 'hub', early],
    ['newest', 'shopify', { side: 'woocommerce', at: 500 }, 'woocommerce', 'remote', early],
    // A clock that was put back.
    ['newest', 'shopify', { side: 'woocommerce', at: late + 1 }, 'shopify', 'remote'],
    ['newest', 'shopify', null, 'woocommerce', 'hub'],
    ['newest', 'woocommerce', null, 'woocommerce', 'remote'],
    ['oldest', 'woocommerce', null, 'shopify', 'hub'],
    ['manual', 'shopify', other, 'shopify', 'person'],
    ['manual', 'woocommerce', null, 'woocommerce', 'person'],
  ];
  for (const [policy, side, hubSeen, preferredSide, expected, heldSince = null] of rows) {
    const decision = decideConflict({ policy, side, hubSeen, preferredSide, heldSince, now: late, met: null });
    assert.equal(decision, expected, `${policy}, ${side} read, ${JSON.stringify(hubSeen)}, ${preferredSide} preferred`);
  }
});

test('[L1] two values that met where only blanks were to be filled wait for whoever moves first', () => {
  const met = { preferredSide: 'woocommerce', side: 'shopify', hubSeen: null, heldSince: null, now: 2_000 } as const;
  for (const policy of ['newest', 'oldest', 'manual'] as const)
    assert.equal(decideConflict({ ...met, policy, met: 'as_they_are' }), 'person', policy);
  assert.equal(decideConflict({ ...met, policy: 'shopify', met: 'as_they_are' }), 'remote');
  assert.equal(decideConflict({ ...met, policy: 'newest', met: 'moved' }), 'remote');
  assert.equal(decideConflict({ ...met, policy: 'oldest', met: 'moved' }), 'hub');
  const moved = { side: 'woocommerce', at: 3_000 } as const;
  assert.equal(
    decideConflict({ ...met, policy: 'newest', hubSeen: moved, heldSince: 1_000, now: 4_000, met: 'as_they_are' }),
    'hub',
  );
});

test('[R6] when the order cannot be known, both sides find the same winner', () => {
  for (const policy of CONFLICT_POLICIES) {
    if (policy === 'manual') continue;
    for (const preferredSide of SIDES) {
      const winners = SIDES.map((side) => {
        const decision = decideConflict({
          policy,
          preferredSide,
          side,
          hubSeen: null,
          heldSince: null,
          now: 1,
          met: null,
        });
        return decision === 'remote' ? side : SIDES.find((each) => each !== side);
      });
      assert.equal(new Set(winners).size, 1, `${policy}, ${preferredSide} preferred`);
    }
  }
});

test('[R8] a set: additions and removals of both sides both apply', () => {
  const rows: readonly (readonly [string[], string[], string[], string[]])[] = [
    // base, hub, remote, merged
    [['a'], ['a'], ['a', 'b'], ['a', 'b']],
    [['a', 'b'], ['a', 'b'], ['b'], ['b']],
    [['a'], ['a', 'c'], ['a', 'b'], ['a', 'c', 'b']],
    [['a', 'b'], ['b'], ['a', 'b', 'c'], ['b', 'c']],
    [['a'], ['a'], [], []],
    [['Sale'], ['sale'], ['SALE'], ['sale']],
    [['a'], [], ['a', 'b'], ['b']],
    [[], ['x'], ['X ', 'y'], ['x', 'y']],
    [['new  in'], ['new in', 'k'], [], ['k']],
  ];
  for (const [base, hub, remote, expected] of rows)
    assert.deepEqual(mergeSet(base, hub, remote), expected, JSON.stringify([base, hub, remote]));
});

test('[R8] a tag that a side shows in parts, for the comma in it, is known there by these', () => {
  const rows: readonly (readonly [string[], string[], string[], string[], string[]])[] = [
    // base, hub, as the side shows that, remote, merged
    [['b', 'r'], ['r, b'], ['b', 'r'], ['r'], ['r']],
    [['b', 'r'], ['r, b', 'r'], ['b', 'r'], ['r'], ['r']],
    [['b', 'r'], ['r', 'r, b'], ['b', 'r'], ['b'], ['b']],
    [['b', 'r'], ['r, b', 'k'], ['b', 'k', 'r'], [], ['k']],
    [['b', 'r'], ['r, b'], ['b', 'r'], ['b', 'r', 'x'], ['r, b', 'x']],
    [['b', 'r', 'x'], ['r, b', 'x'], ['b', 'r', 'x'], ['b', 'r'], ['r, b']],
    [['b', 'r'], ['r, b, r'], ['b', 'r'], ['r'], ['r']],
    [['r'], ['r,'], ['r'], [], []],
    // At a first link nothing was agreed on.
    [[], ['r, b'], ['b', 'r'], ['b', 'r', 'x'], ['r, b', 'x']],
    [[], ['r, b'], ['b', 'r'], ['b'], ['r, b']],
    // The side that shows it as one.
    [['r, b'], ['r, b'], ['r, b'], ['r, b', 'r'], ['r, b', 'r']],
    [['r, b', 'r'], ['r, b', 'r'], ['r, b', 'r'], ['r, b'], ['r, b']],
    [['r, b'], ['r, b'], ['r, b'], [], []],
  ];
  for (const [base, hub, shown, remote, expected] of rows)
    assert.deepEqual(mergeSet(base, hub, remote, shown), expected, JSON.stringify([base, hub, shown, remote]));
});

const tags = fc.uniqueArray(fc.constantFrom('a', 'B', 'b', 'c', 'D', 'e f', 'é'), { maxLength: 6, selector: tagKey });
const keys = (list: readonly string[]) => new Set(list.map(tagKey));
const sorted = (list: readonly string[]) => [...keys(list)].sort();

test('[R8] laws of a set: idempotent, nothing is raised from the dead, nothing that was added is lost', () => {
  fc.assert(
    fc.property(tags, tags, tags, (base, hub, remote) => {
      const merged = mergeSet(base, hub, remote);
      assert.deepEqual(mergeSet(remote, merged, remote), merged, 'the same reading again changes nothing');
      assert.deepEqual(mergeSet(base, hub, base), hub, 'a side that did not move moves nothing');
      const [b, h, r, m] = [keys(base), keys(hub), keys(remote), keys(merged)];
      for (const key of m) {
        assert.ok(h.has(key) || r.has(key), `${key} comes from nowhere`);
        if (b.has(key)) assert.ok(h.has(key) && r.has(key), `${key} was removed by one of them and is back`);
      }
      for (const key of r) if (!b.has(key)) assert.ok(m.has(key), `${key} was added and is lost`);
      for (const key of h) if (!b.has(key)) assert.ok(m.has(key), `${key} was in the hub and is lost`);
      assert.equal(m.size, merged.length, 'each once');
    }),
  );
});

test('[R8] laws of a set: changes of two sides commute where they are about different elements', () => {
  fc.assert(
    fc.property(tags, tags, tags, (base, a, b) => {
      const [known, left, right] = [keys(base), keys(a), keys(b)];
      const touched = (side: ReadonlySet<string>) =>
        [...new Set([...known, ...side])].filter((key) => known.has(key) !== side.has(key));
      fc.pre(touched(left).every((key) => !touched(right).includes(key)));
      const forth = mergeSet(base, mergeSet(base, base, a), b);
      const back = mergeSet(base, mergeSet(base, base, b), a);
      assert.deepEqual(sorted(forth), sorted(back));
    }),
  );
});
