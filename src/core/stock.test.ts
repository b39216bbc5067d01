import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { STOCK_LINK_RULES } from '../model/pair.ts';
import { BACKORDER_RULES } from '../model/product.ts';
import { QUANTITY_MAX, type StockIntent, type StockReading } from '../model/stock.ts';
import { settings, stock } from '../testing/support/products.ts';
import { judgeCall, linkStock, observeStock, provisionalDelta, settleStock, stockTarget } from './stock.ts';

const quantity = fc.oneof(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -QUANTITY_MAX, max: QUANTITY_MAX }));

test('[S1] what a side is to show: less the buffer, at most the cap, not below 0 unless backordered', () => {
  const rows = [
    // quantity, backorders, buffer, cap, shown
    [10, 'no', 0, null, 10],
    [10, 'no', 3, null, 7],
    [2, 'no', 3, null, 0],
    [10, 'no', 3, 5, 5],
    [10, 'no', 0, 0, 0],
    [-2, 'no', 0, null, 0],
    [-2, 'yes', 3, null, -2],
    [-2, 'notify', 0, 5, -2],
    [0, 'yes', 3, null, 0],
    [2, 'yes', 3, null, 0],
  ] as const;
  for (const [hub, backorders, stockBuffer, stockCap, shown] of rows)
    assert.equal(
      stockTarget(hub, backorders, { stockBuffer, stockCap }),
      shown,
      `${hub} ${backorders} -${stockBuffer} <${stockCap}`,
    );
});

test('[S1, B9] laws of what is shown: never more than there is, never beyond what platforms hold, more stock never shows less', () => {
  const cap = fc.option(fc.nat(50), { nil: null });
  fc.assert(
    fc.property(
      quantity,
      fc.constantFrom(...BACKORDER_RULES),
      fc.nat(20),
      cap,
      (hub, backorders, stockBuffer, stockCap) => {
        const shown = stockTarget(hub, backorders, { stockBuffer, stockCap });
        assert.ok(shown <= Math.max(0, hub) && Math.abs(shown) <= QUANTITY_MAX && Number.isSafeInteger(shown));
        assert.ok(stockTarget(hub + 1, backorders, { stockBuffer, stockCap }) >= shown);
        if (backorders === 'no') assert.ok(shown >= 0);
      },
    ),
  );
  assert.equal(stockTarget(QUANTITY_MAX + 5, 'no', settings()), QUANTITY_MAX);
  assert.equal(stockTarget(-QUANTITY_MAX - 5, 'yes', settings()), -QUANTITY_MAX);
});

test('[S2] from 10, both sides at 9 is 8', () => {
  const base = { quantity: 10, tracked: true };
  const deltas = [9, 9].map((reading) => {
    const seen = observeStock(base, stock(reading));
    return seen.is === 'counted' ? seen.delta : 0;
  });
  assert.equal(10 + deltas.reduce((a, b) => a + b, 0), 8);
});

test('[S2] laws of a counter: every outside change counts once, in any order and however often it is looked at', () => {
  const moves = fc.array(fc.record({ side: fc.nat(1), by: fc.integer({ min: -9, max: 9 }), looks: fc.nat(2) }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(quantity, moves, (start, list) => {
      let hub = start;
      const shelves = [start, start];
      const bases = [start, start];
      const lookAt = (side: number) => {
        const seen = observeStock({ quantity: bases[side] ?? 0, tracked: true }, stock(shelves[side] ?? 0));
        assert.equal(seen.is, 'counted');
        if (seen.is !== 'counted') return;
        hub += seen.delta;
        bases[side] = seen.base.quantity;
      };
      for (const { side, by, looks } of list) {
        shelves[side] = (shelves[side] ?? 0) + by;
        for (let i = 0; i < looks; i += 1) lookAt(side);
      }
      for (const side of [1, 0, 1]) lookAt(side);
      assert.equal(hub, start + list.reduce((sum, { by }) => sum + by, 0));
    }),
  );
});

test('[S6] tracking that is turned on or off is an epoch: a new base and no delta; what is not tracked counts nothing', () => {
  assert.deepEqual(observeStock({ quantity: 5, tracked: true }, stock(0, { tracked: false })), {
    is: 'epoch',
    base: { quantity: 0, tracked: false },
  });
  assert.deepEqual(observeStock({ quantity: 0, tracked: false }, stock(7)), {
    is: 'epoch',
    base: { quantity: 7, tracked: true },
  });
  const untracked = { quantity: 3, tracked: false };
  assert.deepEqual(observeStock(untracked, stock(99, { tracked: false })), {
    is: 'counted',
    delta: 0,
    base: untracked,
  });
});

const intent: StockIntent = { from: 10, to: 12, key: 'stk_1', sentAt: 0 };

test('[S4, S5] an open intent is settled by answer, refusal or stamp', () => {
  const read = (units: number, stamp: string | null) =>
    ({ from: 'reading', remote: stock(units, { stamp }), stampDecides: true }) as const;
  const rows = [
    [{ from: 'answer' } as const, { delta: 0, base: 12, applied: true, doubt: null }],
    [{ from: 'refusal' } as const, { delta: 0, base: 10, applied: false, doubt: null }],
    [read(12, 'stk_1'), { delta: 0, base: 12, applied: true, doubt: null }],
    [read(11, 'stk_1'), { delta: -1, base: 11, applied: true, doubt: null }],
    [read(10, 'stk_0'), { delta: 0, base: 10, applied: false, doubt: null }],
    [read(12, null), { delta: 2, base: 12, applied: false, doubt: null }],
  ] as const;
  for (const [evidence, settled] of rows)
    assert.deepEqual(settleStock(intent, evidence), settled, JSON.stringify(evidence));
});

test('[S5] where neither key nor stamp decides, the lower hub value is taken, and the doubt is said in units', () => {
  const rows = [
    // from, to, reading, delta, doubt
    [10, 11, 10, -1, 1],
    [10, 12, 12, 0, 2],
    [10, 7, 10, 0, 3],
    [10, 7, 7, -3, 3],
    [5, 0, 3, -2, 5],
  ] as const;
  for (const [from, to, reading, delta, doubt] of rows) {
    const settled = settleStock(
      { ...intent, from, to },
      { from: 'reading', remote: stock(reading), stampDecides: false },
    );
    assert.deepEqual(
      [settled.delta, settled.base, settled.doubt],
      [delta, reading, doubt],
      `${from} -> ${to}, reads ${reading}`,
    );
  }
});

test('[S5] a call that is done whole or not at all is judged by all its items; five more have to speak for it than against it', () => {
  type Item = readonly [from: number, to: number, reading: number];
  const call = (...items: readonly Item[]) =>
    judgeCall(items.map(([from, to, reading]) => ({ intent: { ...intent, from, to }, remote: stock(reading) })));
  const five: readonly (readonly [from: number, to: number])[] = [
    [10, 9],
    [5, 6],
    [3, 0],
    [40, 44],
    [2, 1],
  ];
  const atTo = five.map(([from, to]): Item => [from, to, to]);
  const atFrom = five.map(([from, to]): Item => [from, to, from]);
  assert.equal(call(...atTo), 'landed');
  assert.equal(call(...atFrom), 'not_landed');
  assert.equal(call(...atTo.slice(1)), 'unclear', 'four may be chance');
  assert.equal(call(...atTo, [8, 7, 8]), 'unclear', 'one speaks against it');
  assert.equal(call(...atTo.slice(1), [10, 9, 4]), 'unclear', 'who moved says nothing');
  assert.equal(call(...atFrom, [20, 18, 20], [8, 7, 7]), 'not_landed');
  const moved = [50, 60, 70, 80, 90].map((from): Item => [from, from - 1, from - 4]);
  assert.equal(call(...atTo, ...moved.slice(1)), 'landed');
  assert.equal(call(...atTo, ...moved), 'unclear', 'half of them moved since');
  const counted = atTo.slice(1).map(([from, to, reading]) => ({
    intent: { ...intent, from, to },
    remote: stock(reading),
  }));
  const untracked = { intent: { ...intent, from: 3, to: 0 }, remote: stock(0, { tracked: false }) };
  assert.equal(judgeCall([...counted, untracked]), 'unclear');
});

test('[S5] one item that has not moved since the call left proves that nothing of it was done, whatever the others hold', () => {
  const sentAt = 1_000_000;
  const call = (since: number | null, change: Partial<StockReading> = {}) =>
    judgeCall(
      [0, 1, 2, 3, 4].map((i) => {
        const remote: StockReading = { ...stock(9), unmovedSince: sentAt + 1_000 };
        const first: StockReading = { ...stock(9, change), ...(since === null ? {} : { unmovedSince: since }) };
        return { intent: { from: 10, to: 9, sentAt }, remote: i === 0 ? first : remote };
      }),
    );
  assert.equal(call(sentAt + 1_000), 'landed');
  assert.equal(call(null), 'landed', 'where the platform says nothing, the numbers tell');
  assert.equal(call(sentAt - 60_000), 'not_landed');
  assert.equal(call(sentAt - 60_000, { quantity: 4 }), 'not_landed', 'also by one that is at neither number');
  assert.equal(call(sentAt - 4_000), 'landed', 'our clock may have been set back a little meanwhile');
  assert.equal(call(sentAt - 60_000, { tracked: false }), 'unclear', 'who is not counted says nothing');
  const alone = { intent: { from: 10, to: 9, sentAt }, remote: { ...stock(9), unmovedSince: sentAt - 60_000 } };
  assert.equal(judgeCall([alone]), 'not_landed', 'one is enough');
  assert.equal(judgeCall([{ ...alone, intent: { ...alone.intent, sentAt: null } }]), 'unclear');
});

test('[S5] where our clock fell behind since the call left, what may have moved since proves nothing, and no number does', () => {
  const sentAt = 1_000_000;
  const call = (since: number, lostMs: number) =>
    judgeCall(
      [since, ...[1, 2, 3, 4, 5].map(() => sentAt + 1_000)].map((unmovedSince) => ({
        intent: { from: 10, to: 9, sentAt },
        remote: { ...stock(9), unmovedSince },
      })),
      lostMs,
    );
  assert.equal(call(sentAt - 60_000, 50_000), 'not_landed', 'it fell behind by less than that');
  assert.equal(call(sentAt - 60_000, 58_000), 'unclear');
  assert.equal(call(sentAt - 60_000, Number.POSITIVE_INFINITY), 'unclear', 'nobody knows by how much');
  assert.equal(call(sentAt + 1_000, Number.POSITIVE_INFINITY), 'landed', 'what moved since moved since');
});

test('[S5] a call sets its items in one moment: those that came to what was to be set at moments of their own do not say that it landed', () => {
  const sentAt = 1_000_000;
  const call = (moments: readonly (number | null)[], others: readonly number[] = []) =>
    judgeCall([
      ...moments.map((ms) => {
        const remote: StockReading = ms === null ? stock(9) : { ...stock(9), unmovedSince: sentAt + ms };
        return { intent: { from: 10, to: 9, sentAt }, remote };
      }),
      ...others.map((quantity) => {
        const remote: StockReading = { ...stock(quantity), unmovedSince: sentAt + 90_000 };
        return { intent: { from: 10, to: 9, sentAt }, remote };
      }),
    ]);
  assert.equal(call([2_000, 2_000, 2_000, 2_000, 2_000]), 'landed');
  assert.equal(
    call([2_000, 3_000, 4_000, 6_000, 7_000]),
    'landed',
    'setting many takes a moment, and times are whole seconds',
  );
  assert.equal(call([2_000, 20_000, 40_000, 60_000, 80_000]), 'unclear', 'sold one by one');
  assert.equal(
    call([60_000, 60_000, 60_000, 2_000, 20_000, 40_000, 80_000, 90_000]),
    'unclear',
    'three at once are few',
  );
  assert.equal(call([0, 4_000, 8_000, 12_000, 16_000]), 'unclear', 'each near the next is no moment of all');
  assert.equal(call([40_000, 2_000, 2_000, 2_000, 2_000, 2_000]), 'landed', 'one more came to it by itself');
  assert.equal(
    call([2_000, 2_000, 2_000, 2_000, 2_000, 50_000, 60_000, 70_000, 80_000, 90_000]),
    'unclear',
    'most moved since',
  );
  assert.equal(call([2_000, 2_000, 2_000, 2_000, null]), 'landed', 'of whom nothing is told, the number tells');
  assert.equal(call([2_000, 40_000], [10, 10, 10, 10, 10, 10]), 'unclear', 'yet they speak against that it did not');
});

test('[S5] laws of doubt: the truth is never below what is taken, and never further above than the doubt', () => {
  fc.assert(
    fc.property(quantity, quantity, fc.integer({ min: -9, max: 9 }), fc.boolean(), (from, to, outside, isApplied) => {
      const reading = (isApplied ? to : from) + outside;
      const settled = settleStock(
        { ...intent, from, to },
        { from: 'reading', remote: stock(reading), stampDecides: false },
      );
      assert.ok(settled.delta <= outside && outside <= settled.delta + (settled.doubt ?? 0));
      const provisional = provisionalDelta({ ...intent, from, to }, stock(reading));
      assert.ok(provisional <= 0 && provisional <= outside, 'until then the other side shows the lower bound');
    }),
  );
  assert.equal(provisionalDelta(intent, stock(3, { tracked: false })), 0);
});

test('[S7] two stocks that were never linked: by rule; equal ones need none', () => {
  const result = { woocommerce: 3, shopify: 8, smaller: 3, sum: 11 };
  for (const stockLinkRule of STOCK_LINK_RULES) {
    const rule = settings({ stockLinkRule });
    assert.deepEqual(linkStock(stock(3), stock(8), rule), { is: 'linked', quantity: result[stockLinkRule] });
    assert.deepEqual(linkStock(stock(8), stock(8), rule), { is: 'linked', quantity: 8 });
    assert.deepEqual(linkStock(stock(3, { tracked: false }), stock(8), rule), { is: 'untracked' });
    assert.deepEqual(linkStock(stock(3), stock(8, { tracked: false }), rule), { is: 'untracked' });
  }
});

test('[S8, B3] zero against stock needs consent, under every rule', () => {
  for (const stockLinkRule of STOCK_LINK_RULES) {
    for (const [w, s] of [
      [0, 5],
      [5, 0],
      [-1, 5],
    ] as const) {
      assert.deepEqual(linkStock(stock(w), stock(s), settings({ stockLinkRule })), { is: 'needs_consent' });
      const agreed = settings({ stockLinkRule, allowZeroStockLink: true });
      assert.equal(linkStock(stock(w), stock(s), agreed).is, 'linked');
    }
    assert.equal(linkStock(stock(0), stock(0), settings({ stockLinkRule })).is, 'linked');
    assert.equal(linkStock(stock(0), stock(-2), settings({ stockLinkRule })).is, 'linked', 'both have nothing to sell');
  }
});
