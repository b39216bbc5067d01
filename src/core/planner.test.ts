// Planner properties: three correlated snapshots (what was agreed, and both sides), perturbed a little, a hundred thousand times over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PairSettings } from '../model/pair.ts';
import { SIDES, type Side } from '../model/platform.ts';
import { checkLook, checkTags, isSameShelf, keptShelf } from '../testing/planner/checks.ts';
import { Draws, drawEdit, drawFields, drawSettings, drawVariant, type Edit } from '../testing/planner/draws.ts';
import {
  edit,
  LOSSLESS,
  LOSSY,
  type Look,
  look,
  type Memory,
  NOTHING,
  type Represent,
  type Scene,
  shelve,
} from '../testing/planner/model.ts';
import { operationsOf, shuffled } from '../testing/planner/operations.ts';

/** Cases of a property; some that cost more are asked of a part of them. */
const CASES = Number(process.env['PLANNER_CASES'] ?? 100_000);
/** The same cases on every commit, so that two can be compared; the soak script asks for fresh ones. */
const SEED = Number(process.env['PLANNER_SEED'] ?? 1);
const ROUNDS_MAX = 3;
const NOW = Date.UTC(2026, 0, 5, 9);

interface Case {
  readonly settings: PairSettings;
  readonly start: Scene;
  /** Decides in which order the operations of each round are done where they are not done in their own. */
  readonly mix: number;
  /** The operations of the last look that are still done before a process dies. */
  readonly done: number;
  /** Whether the last of them reached the store, and the process died before it had noted that. */
  readonly isNoted: boolean;
  /** What happens before each look, and which sides answer then. At the end both do. */
  readonly steps: readonly { readonly edits: readonly Edit[]; readonly read: readonly Side[] }[];
}

const READS: readonly (readonly Side[])[] = [SIDES, SIDES, ['woocommerce'], ['shopify']];

function drawCase(bytes: Uint8Array, represent: Represent): Case {
  const draws = new Draws(bytes);
  const settings = drawSettings(draws);
  const fields = drawFields(draws);
  const variants = Array.from({ length: 1 + draws.int(3) }, (_, i) => drawVariant(draws, ['S', 'M', 'L'][i] ?? ''));
  const shelves = {
    woocommerce: shelve(represent, 'woocommerce', fields, variants),
    shopify: shelve(represent, 'shopify', fields, variants),
  };
  let start: Scene = { represent, shelves, memory: NOTHING };
  const isFirstLink = draws.int(4) === 3;
  const done = draws.int(5);
  // Linked and level before the story begins, or two shops that never met: then what differs is there from the start.
  if (!isFirstLink) start = settle(start, settings, NOW - 60_000).scene;
  const steps = Array.from({ length: 1 + draws.int(3) }, (_, step) => ({
    edits: Array.from({ length: draws.int(4) }, (_, i) => drawEdit(draws, step * 10 + i)),
    read: isFirstLink && step === 0 ? SIDES : draws.pick(READS),
  }));
  return { settings, start, mix: draws.int(256), done, isNoted: draws.int(2) === 0, steps };
}

/** What one look asks of the sides that were read, all of it or as far as the process lived. */
function apply(scene: Scene, seen: Look, read: readonly Side[], { mix, death }: How = {}): Scene {
  const planned = operationsOf(seen, read);
  const operations = mix === undefined ? planned : shuffled(planned, mix);
  const done = operations.slice(0, death?.done);
  let next: Scene = { ...scene, memory: seen.memory };
  for (const [i, operation] of done.entries()) {
    const after = operation.run(next);
    const isForgotten = death?.isNoted === false && i === done.length - 1 && !operation.isCreate;
    next = isForgotten ? { ...after, memory: next.memory } : after;
  }
  return next;
}

const hasWork = (seen: Look, read: readonly Side[]): boolean =>
  read.some((side) => seen.reconciliation.sides[side]?.write || (seen.archive[side]?.length ?? 0) > 0);

interface Settled {
  readonly scene: Scene;
  readonly rounds: number;
}

interface How {
  /** The order in which the sides are absorbed. */
  readonly order?: readonly Side[];
  /** Decides the order of a round's operations; without it they are done as planned. */
  readonly mix?: number;
  /** The process dies among the operations of the story's last look. */
  readonly death?: { readonly done: number; readonly isNoted: boolean };
  /** Each look is held against the rules: once is enough for a story that is told twice. */
  readonly isChecked?: boolean;
}

/** A removal is learnt by looking, and may leave a variant as the only one of its key: then the next look binds it (V2). */
const isLearning = (before: Memory, after: Memory): boolean =>
  before.removed.size !== after.removed.size ||
  SIDES.some((side) => before.bound[side].size !== after.bound[side].size);

/** Looks at both sides and sends, until there is nothing to send and nothing was learnt. */
function settle(start: Scene, settings: PairSettings, from: number, how: How = {}): Settled {
  const { order = SIDES, isChecked, mix } = how;
  let scene = start;
  let rounds = 0;
  for (let looks = 0; ; looks += 1) {
    assert.ok(looks <= 2 * ROUNDS_MAX, 'it goes on looking');
    const seen = look(scene, SIDES, order, settings, from + looks * 1000);
    if (isChecked) checkLook(scene, seen, SIDES, settings);
    if (!hasWork(seen, SIDES)) {
      const isRest = !isLearning(scene.memory, seen.memory);
      scene = { ...scene, memory: seen.memory };
      if (isRest) return { scene, rounds };
      continue;
    }
    assert.ok(rounds < ROUNDS_MAX, `not at rest after ${ROUNDS_MAX} rounds`);
    rounds += 1;
    const next = apply(scene, seen, SIDES, mix === undefined ? {} : { mix });
    if (isChecked) checkTags(scene, seen, next, settings);
    scene = next;
  }
}

/** The whole story of a case. */
function live({ settings, start, steps }: Case, how: How = {}): Settled {
  const { order = SIDES, isChecked = false, death, ...rest } = how;
  let scene = start;
  steps.forEach(({ edits, read }, i) => {
    for (const change of edits) scene = edit(scene, change);
    const seen = look(scene, read, order, settings, NOW + i * 10_000);
    if (isChecked) checkLook(scene, seen, read, settings);
    const isLast = i === steps.length - 1;
    scene = apply(scene, seen, read, isLast ? how : rest);
  });
  return settle(scene, settings, NOW + steps.length * 10_000, how);
}

const bytes = fc.noBias(fc.uint8Array({ minLength: 72, maxLength: 72 }));

/** Cases that failed once, by their bytes (what is cut off is zeros): each property is asked of all of them, for ever after. */
const KEPT = [
  // A variant was removed on one side before or after the other had got it: the shop numbers those after it differently.
  '00000000000000000000000000000000009b00bfe2003700000000000000f600270000002d1e00000000009377000000000f3fbd578e00000000000e',
  // The target of a one-way pair had a variant of its own by the very SKU that a variant of the source was given, which was still to be made there.
  'd0000000000000000000009100000000000000000000000029993f6e2900000000008f004e0000000000003700000000570000002aad00a70086c4',
].map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')));

function hold(name: string, share: number, represent: Represent, property: (one: Case) => void): void {
  const numRuns = Math.max(1, Math.round(CASES * share));
  test(`${name} (${numRuns} cases)`, () => {
    fc.assert(
      fc.property(bytes, (raw) => property(drawCase(raw, represent))),
      {
        numRuns,
        endOnFailure: false,
        examples: KEPT.map((raw) => [raw]),
        seed: SEED,
      },
    );
  });
}

hold(
  '[R12] it comes to rest within 3 rounds, the plan after an apply is empty, and nothing is lost on the way',
  1,
  LOSSY,
  (one) => {
    const { scene } = live(one, { isChecked: true });
    const again = look(scene, SIDES, SIDES, one.settings, NOW + 3_600_000);
    assert.ok(!hasWork(again, SIDES), 'the plan after an apply is empty');
    const moves = again.reconciliation.changes.filter((change) => change.cause !== 'kept_hub');
    assert.deepEqual(moves, [], 'the hub is at rest');
  },
);

// Where each shop holds whatever the other can, and nothing was still on its way: a change that the other side can't show, or that it was
// not told of yet and that is taken back, does not conflict with what it does then. Those go by the order WooCommerce, Shopify.
hold(
  '[R6, R8] the order of operations in a round does not matter, nor whose reading is absorbed first',
  1,
  LOSSLESS,
  (one) => {
    const steps = one.steps.map(({ edits }) => ({ edits, read: SIDES }));
    const forth = live({ ...one, steps });
    const back = live({ ...one, steps }, { order: [...SIDES].reverse(), mix: one.mix });
    for (const side of SIDES) {
      // [R8] Their tags, too, up to the spelling: both sides are read and written in each look, so that no tag is added by one while the other removes it.
      assert.ok(isSameShelf(forth.scene.shelves[side], back.scene.shelves[side]), `${side} ends the same`);
    }
  },
);

hold('[R12] a round that stops half way ends as if it had not', 0.25, LOSSY, (one) => {
  const whole = live(one);
  const half = live(one, { death: one });
  // A variant that was removed on the other side may or may not have got its last write: it is left alone from then on.
  for (const side of SIDES)
    assert.ok(isSameShelf(keptShelf(whole.scene, side), keptShelf(half.scene, side)), `${side} ends the same`);
});
