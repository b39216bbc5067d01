import { type Mutant, mutant } from './mutant.ts';

/** Breaks of the counter: deltas, intents, fences, stamps, locks. */
export const STOCK_MUTANTS: readonly Mutant[] = [
  mutant(
    'stock as a plain register: what a side shows is taken',
    ['I2'],
    'engine/stock/absorb-stock.ts',
    'countDelta(ctx, tx, view, variant, binding, seen.delta,',
    'countDelta(ctx, tx, view, variant, binding, seen.base.quantity - variant.quantity,',
  ),
  mutant(
    'stock merged like files: both sides at one value is agreement',
    ['I2'],
    'engine/stock/absorb-stock.ts',
    'const guarded = isOwn ? null : guardedStockCause(from, to);',
    'if (baseQuantity === variant.quantity) return;\n  const guarded = isOwn ? null : guardedStockCause(from, to);',
  ),
  mutant(
    'no intent: a stock write is sent without being stored first',
    ['I2'],
    'engine/stock/push-stock.ts',
    'openStockIntent(tx, push.variant.id, side, { from, to, key, sentAt, fencedUntil });',
    '',
  ),
  {
    name: 'no fence: an intent is settled at once',
    breaks: ['I2', 'I3'],
    edits: [
      {
        file: 'engine/fence.ts',
        find: 'return now + SENDING_MS * batch + capabilities.fenceMs;',
        replace: 'return now;',
      },
      { file: 'engine/fence.ts', find: 'return now + capabilities.fenceMs;', replace: 'return now;' },
    ],
  },
  mutant(
    'the fence of a lost answer forgets that the platform may still be at it',
    ['I2', 'I3'],
    'engine/fence.ts',
    'return now + capabilities.fenceMs;',
    'return now + capabilities.fenceMs / 10;',
  ),
  mutant(
    'the fence of a new intent leaves out the time that sending takes',
    ['I2', 'I3'],
    'engine/fence.ts',
    'return now + SENDING_MS * batch + capabilities.fenceMs;',
    'return now + capabilities.fenceMs;',
  ),
  mutant(
    'after a restart nothing is fenced any more',
    ['I2', 'I3'],
    'engine/cap-fences.ts',
    'capStoreFences(tx, store.id, ',
    'capStoreFences(tx, store.id, 0 * ',
  ),
  mutant(
    'echo not recognised: a stock write that was answered does not become the base',
    ['I2', 'I4'],
    'engine/stock/settle-answers.ts',
    'settleStockBase(tx, push.variant.id, side, push.to, true);',
    'settleStockBase(tx, push.variant.id, side, push.from, true);',
  ),
  mutant(
    'STALE taken for success',
    ['I2'],
    'engine/stock/settle-answers.ts',
    'settleStockBase(tx, push.variant.id, side, push.from, true);\n          enqueue',
    'settleStockBase(tx, push.variant.id, side, push.to, true);\n          enqueue',
  ),
  mutant(
    'STALE on a repeat taken for "never happened" where keys are not remembered',
    ['I2'],
    'engine/stock/settle-stock.ts',
    'if (!isKeyed) undecided.push(entry);',
    "if (!isKeyed) settle(ctx, view, entry, { from: 'refusal' });",
  ),
  mutant(
    'what was withheld for the sake of others in the call is taken for done',
    ['I2', 'I1'],
    'engine/stock/settle-answers.ts',
    'settleStockBase(tx, push.variant.id, side, push.from, true);\n          withheld',
    'settleStockBase(tx, push.variant.id, side, push.to, true);\n          withheld',
  ),
  {
    ...mutant(
      'a call without an answer is taken to have landed by the word of one item',
      ['I2'],
      'core/stock.ts',
      'const CALL_MARGIN = 5;',
      'const CALL_MARGIN = 1;',
    ),
    sets: ['real'],
  },
  {
    // What two shops sell at one time looks like our call; that happens where one store is in two pairs.
    ...mutant(
      'an item that has not moved since its call left proves nothing',
      ['I2'],
      'core/stock.ts',
      'return sentAt !== null && unmovedSince !== undefined',
      'return sentAt === -1 && unmovedSince !== undefined',
    ),
    sets: ['shared'],
  },
  {
    // In part it is another call to the platform: what is back at what was expected is set once more.
    name: 'a call without an answer is repeated with whoever is there',
    breaks: ['I2'],
    sets: ['real'],
    edits: [
      {
        file: 'engine/stock/settle-stock.ts',
        find: 'const undecided = isWhole ? await repeat(ctx, view, side, open, signal) : open;',
        replace:
          'const undecided: OpenIntent[] = [];\n    for (const one of open) undecided.push(...(await repeat(ctx, view, side, [one], signal)));',
      },
    ],
  },
  mutant(
    'a repeat takes a new key',
    ['I2'],
    'engine/stock/settle-stock.ts',
    'key: intent.key,\n  }));',
    "key: ctx.random.id('again_'),\n  }));",
  ),
  mutant(
    'unknown outcome of a stock write treated as a failure',
    ['I2'],
    'engine/stock/settle-answers.ts',
    'if (mayHaveHappened(error)) {',
    "if (error.kind === 'malformed') {",
  ),
  mutant(
    'readings are counted although an intent is open',
    ['I2'],
    'engine/stock/absorb-stock.ts',
    'if (binding.intentKey !== null) {',
    "if (binding.intentKey === '') {",
  ),
  mutant(
    'the stamp is not looked at: applied is assumed',
    ['I2'],
    'core/stock.ts',
    'return stamp === intent.key ? ifApplied : ifNot;',
    'return stamp !== null ? ifApplied : ifNot;',
  ),
  mutant(
    'in doubt the higher value is taken',
    ['I2'],
    'core/stock.ts',
    'ifApplied.delta <= ifNot.delta ? ifApplied : ifNot',
    'ifApplied.delta > ifNot.delta ? ifApplied : ifNot',
  ),
  mutant(
    'the stamp never decides: everything is a doubt',
    ['S5'],
    'core/stock.ts',
    'if (evidence.stampDecides) return',
    'if (evidence.stampDecides && quantity < 0) return',
  ),
  mutant(
    'provisional ignored: the other side publishes as if nothing were open',
    ['S5', 'I0 no bug'],
    'engine/stock/sync-stock.ts',
    'variant.quantity + (other?.provisional ?? 0);',
    'variant.quantity;',
  ),
  {
    // Asked twice: once when the pass has decided, and once more for each batch that leaves later. Either alone would do.
    // What nobody reads again never leaves [W1].
    name: 'a blind write is not read just before',
    breaks: ['I1', 'I2'],
    edits: [
      {
        file: 'engine/stock/sync-stock.ts',
        find: "view.connectors[push.side].capabilities.stockWrite === 'stamped' &&",
        replace: "view.connectors[push.side].capabilities.stockWrite === 'keyed' &&",
      },
      {
        file: 'engine/stock/push-stock.ts',
        find: 'if (isBlind && old.length > 0)',
        replace: 'if (isBlind && old.length > 1_000)',
      },
    ],
  },
  {
    ...mutant(
      'no stock lock: a job takes its items without asking who has them',
      ['I2'],
      'engine/stock/sync-stock.ts',
      'ctx.locks.tryAcquire(stockKeys(view, rows), job.key);',
      // Without its name, or the lock's end would wake it for another look, which sets everything right.
      'ctx.locks.tryAcquire(stockKeys(view, rows)) ?? (() => undefined);',
    ),
    // Within one pair nothing comes of it: whoever finds the item moved looks at it again.
    sets: ['shared'],
  },
  {
    name: 'lock per binding: two pairs write one item at once',
    breaks: ['I2'],
    sets: ['shared'],
    edits: [
      {
        file: 'engine/stock/stock-call.ts',
        find: 'stockLock(view.shops[side], binding.stockId)',
        replace: 'stockLock(view.pair.id, binding.stockId)',
      },
      {
        file: 'engine/products/product-subject.ts',
        find: 'stockLock(view.shops[side], binding.stockId)',
        replace: 'stockLock(view.pair.id, binding.stockId)',
      },
    ],
  },
  {
    ...mutant(
      "fence per binding: the open intent of another pair on the same item is nobody else's business",
      ['I2'],
      'engine/stock/sync-stock.ts',
      'if (isItemAwaited(ctx, view, binding)) {',
      "if (isItemAwaited(ctx, view, binding) && binding.intentKey === '') {",
    ),
    sets: ['shared'],
  },
  mutant(
    'a product pass counts stock that it could not lock',
    ['I2', 'S7'],
    'engine/products/product-subject.ts',
    'if (subject.releaseStock !== null) for',
    'for',
  ),
  mutant(
    'the buffer is not taken off what is published',
    ['I1'],
    'engine/stock/sync-stock.ts',
    'stockTarget(quantity, backorders, view.settings);',
    'stockTarget(quantity, backorders, { ...view.settings, stockBuffer: 0 });',
  ),
  mutant(
    'what a side shows after the buffer is fed back',
    ['I2'],
    'engine/stock/settle-answers.ts',
    'settleStockBase(tx, push.variant.id, side, push.to, true);',
    // Near nothing it stops, or each echo would take some more off for ever.
    'settleStockBase(tx, push.variant.id, side, push.to > 6 ? push.to + view.settings.stockBuffer : push.to, true);',
  ),
  mutant(
    'backorders are forgotten: never below zero',
    // Nothing shown where less than nothing is left is more than is certain.
    ['I1', 'S5'],
    'engine/stock/sync-stock.ts',
    'stockTarget(quantity, backorders, view.settings);',
    "stockTarget(quantity, 'no', view.settings);",
  ),
  mutant(
    'two stocks add up when two records meet',
    ['S7', 'I2'],
    'core/stock.ts',
    'quantity: Math.min(w, s) }',
    'quantity: w + s }',
  ),
  mutant(
    'a new record is taken to hold what it shows, not what was sent',
    ['I2'],
    'engine/products/store-variants.ts',
    'const base = sent ?? variant.stock;',
    'const base = variant.stock;',
  ),
  mutant(
    'a stock move leaves no line in the history',
    ['I5'],
    'engine/stock/absorb-stock.ts',
    'recordChange(tx, {',
    'void ({',
  ),
  mutant(
    'selling more than there is tells nobody',
    ['S9'],
    'engine/stock/absorb-stock.ts',
    'if (quantity >= 0) return;',
    'if (quantity >= -1_000_000) return;',
  ),
  mutant(
    'tracking turned on or off counts as a delta',
    ['I2', 'I1', 'S6'],
    'core/stock.ts',
    'if (base.tracked !== remote.tracked)',
    'if (base.tracked !== remote.tracked && remote.quantity < -1_000_000)',
  ),
];
