import { type Edit, type Mutant, mutant } from './mutant.ts';
import { NO_PROOF } from './record-mutants.ts';

/** Asked once more right before anything is stored or sent: whoever works on in a halted pair has to leave that out too. */
const NEVER_STOPPED: Edit = {
  file: 'engine/pair-view.ts',
  find: "if (pair === null || pair.status === 'halted' || pair.status === 'paused') return",
  replace: "if (pair === null || pair.status === 'paused') return",
};

const CLAIMED_ALL_THE_SAME: Edit = {
  file: 'jobs/tasks/engine-tasks.ts',
  find: 'isPairHeld(ctx.db, group as PairId)',
  replace: "group === '' && isPairHeld(ctx.db, group as PairId)",
};

const STOCK_CLAIMED_ALL_THE_SAME: Edit = {
  file: 'jobs/tasks/engine-tasks.ts',
  find: 'isStockHeld(ctx.db, group as PairId)',
  replace: "group === '' && isStockHeld(ctx.db, group as PairId)",
};

/** Breaks of signals, jobs and states: what is asked for has to be done, once, and survive the process. */
export const WORK_MUTANTS: readonly Mutant[] = [
  mutant(
    'ack before commit: a webhook is answered before it is stored',
    ['I10'],
    'engine/signals/accept-delivery.ts',
    'if (isFlushing) return;',
    "settle('stored');\n      if (isFlushing) return;",
  ),
  mutant(
    'dedupe dropped: a delivery that comes twice is an error',
    ['I10', 'I0 no bug'],
    'db/writers/deliveries.ts',
    'VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    'VALUES (?, ?, ?, ?)',
  ),
  mutant(
    'revision ignored: what was asked for during the work is forgotten',
    ['I1'],
    'db/writers/jobs.ts',
    "'DELETE FROM job WHERE id = ? AND revision = ?'",
    "'DELETE FROM job WHERE id = ? AND revision >= ?'",
  ),
  mutant(
    'a job that waits forgets the side that it was to look at',
    ['I1'],
    'engine/enqueue.ts',
    '[...(old as Observes).observe, ...(next as Observes).observe]',
    '(next as Observes).observe',
  ),
  mutant(
    'work that was cut off by the end of the process is not taken up again',
    ['I1', 'I8'],
    'db/writers/jobs.ts',
    "SET state = 'ready', run_at = ? WHERE state = 'executing'",
    "SET state = 'ready', run_at = ? WHERE state = 'nothing'",
  ),
  mutant(
    'a job that asks to be tried again is forgotten',
    ['I1', 'I8'],
    'jobs/settlement.ts',
    "case 'retry': {",
    "case 'retry': {\n          if (outcome.reason) return forget;",
  ),
  mutant(
    'a job that asks to wait is forgotten',
    ['I1', 'I8'],
    'jobs/settlement.ts',
    "case 'snooze':\n",
    "case 'snooze':\n          if (outcome.ms > 0) return forget;\n",
  ),
  mutant(
    'told to slow down, the work is dropped',
    ['I1'],
    'engine/outcome.ts',
    "case 'rate_limited':\n      return { type: 'snooze',",
    "case 'rate_limited':\n      if (error) return DONE;\n      return { type: 'snooze',",
  ),
  {
    name: 'an outage is taken for "no such record"',
    breaks: ['I6'],
    edits: [
      {
        file: 'engine/products/observe-products.ts',
        find: 'for (const { subject } of chunk) subject.outcome ??= outcomeOfRead(failure);',
        replace: 'for (const { subject } of chunk) subject.gone.add(side);',
      },
      NO_PROOF,
    ],
  },
  {
    name: 'a halted pair goes on writing stock',
    breaks: ['I6'],
    edits: [
      {
        file: 'engine/stock/sync-stock.ts',
        find: 'if (isStockHeld(ctx.db, pairId)) return',
        replace: "if (view.pair.status === 'paused') return",
      },
      NEVER_STOPPED,
      STOCK_CLAIMED_ALL_THE_SAME,
    ],
  },
  {
    name: 'a halted pair goes on writing products',
    breaks: ['I6'],
    edits: [
      {
        file: 'engine/products/sync-products.ts',
        find: 'if (isPairHeld(ctx.db, pairId)) return',
        replace: "if (view.pair.status === 'paused') return",
      },
      NEVER_STOPPED,
      CLAIMED_ALL_THE_SAME,
    ],
  },
  mutant(
    'an empty or shrunken listing is believed',
    ['I6'],
    'core/safety.ts',
    "if (before > 0 && now === 0) return 'empty_listing';",
    'if (before >= 0) return null;',
  ),
  mutant(
    'the poll forgets what it read',
    ['I1'],
    'engine/signals/poll-store.ts',
    'applySignals(tx, store, connector.capabilities, page.signals, at);',
    '',
  ),
  mutant(
    'a webhook of a record names no job',
    ['I1'],
    'engine/signals/signals.ts',
    'if (signals.length === 0) return;',
    'if (signals.length >= 0) return;',
  ),
  mutant(
    'a store that answers again stays in error',
    ['I1'],
    'engine/stores/store-state.ts',
    "if (store.status !== 'error' && !isTold) return;",
    "if (store.status !== 'nothing') return;",
  ),
  {
    name: 'a blind stock write waits for its turn for as long as its platform lets it',
    breaks: ['W1', 'I2'],
    sets: ['real', 'plain'],
    edits: [
      {
        file: 'engine/stock/push-stock.ts',
        find: "const isBlind = connector.capabilities.stockWrite === 'stamped';",
        replace: 'const isBlind = false;',
      },
    ],
  },
  mutant(
    'a product write waits for its turn for as long as its platform lets it',
    ['W1', 'I5'],
    'engine/products/push-products.ts',
    'openDeparture(signal, ctx.clock, until)',
    'openDeparture(signal, ctx.clock, until + 600_000)',
  ),
  mutant('locks are never given back', ['I1', 'I8'], 'engine/locks.ts', 'if (!isHeld) return;', 'if (isHeld) return;'),
  mutant(
    'a stock call is repeated however long ago it was sent',
    ['I2'],
    'engine/stock/settle-stock.ts',
    'sentAt > since && sentAt > unsure);',
    'sentAt > 0 * since && sentAt > unsure);',
  ),
  // The simulator's shops have a connector of their own, and with it a gate of its own: these show that whoever asks too fast is seen, by the shop.
  mutant(
    'no rate: requests leave as they come',
    ['I9 rate'],
    'connectors/memory/transport.ts',
    'if (!rate) return;',
    'if (rate !== undefined) return;',
  ),
  mutant(
    'a shop is asked twice as fast as it bears',
    ['I9 rate'],
    'connectors/memory/transport.ts',
    'const stepMs = 1_000 / rate.perSecond;',
    'const stepMs = 500 / rate.perSecond;',
  ),
  mutant(
    'told when to come again, a request comes at once',
    ['I9 rate'],
    'connectors/memory/transport.ts',
    'return error.details.retryAfterMs ?? 1_000;',
    'return Math.min(1, error.details.retryAfterMs ?? 1_000);',
  ),
  mutant('stock takes turns with products', ['I9 stock first'], 'model/job.ts', '  stock: 0,', '  stock: 10,'),
  mutant(
    'what is least urgent is begun first',
    ['I9 stock first'],
    'jobs/lanes.ts',
    'urgency(a) - urgency(b) || byTurn || turns.of(a.key) - turns.of(b.key);',
    'urgency(b) - urgency(a) || byTurn || turns.of(a.key) - turns.of(b.key);',
  ),
  ...[
    mutant(
      'products may take the last slot',
      ['I11'],
      'jobs/lanes.ts',
      'if (priority < JOB_PRIORITY.scan) return concurrency - 1;',
      'if (priority < JOB_PRIORITY.scan) return concurrency;',
    ),
    mutant('stock is work like any other', ['I11'], 'model/job.ts', '  stock: 0,', '  stock: 10,'),
    mutant(
      'a sale that is told as an edit waits behind edits',
      ['I11'],
      'engine/signals/signals.ts',
      'if (!tellsStock) enqueueStockLook',
      'if (tellsStock) enqueueStockLook',
    ),
    mutant(
      'a look at stock forgets what it saw',
      ['I11'],
      'engine/stock/look-at-stock.ts',
      'for (const variantId of moved) enqueueStockSync',
      'for (const variantId of moved.slice(0, 0)) enqueueStockSync',
    ),
    mutant(
      'an edit is as urgent as a sale',
      ['I11'],
      'engine/signals/signals.ts',
      'tellsStock ? JOB_PRIORITY.product',
      'tellsStock ? JOB_PRIORITY.stock',
    ),
    mutant(
      'pairs are served in the order in which they come',
      ['I11'],
      'jobs/lanes.ts',
      'urgency(a) - urgency(b) || byTurn || turns.of(a.key) - turns.of(b.key);',
      'urgency(a) - urgency(b) || byTurn * 0;',
    ),
    mutant(
      'a pair that sells gives its turn with products away',
      ['I11'],
      'jobs/lanes.ts',
      'function turnName(lane: Lane): string {',
      'function turnName(lane: Lane): string {\n  if (lane.key) return lane.groupKey;',
    ),
  ].map((broken): Mutant => ({ ...broken, sets: ['crowded'] })),
];
