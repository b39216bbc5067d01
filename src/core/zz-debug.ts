import { SIDES } from '../model/platform.ts';
import { Draws, drawEdit, drawFields, drawSettings, drawVariant } from '../testing/planner/draws.ts';
import { edit, LOSSLESS, LOSSY, look, NOTHING, type Scene, send, shelve } from '../testing/planner/model.ts';

const raw = new Uint8Array(JSON.parse(process.argv[2] ?? '[]'));
const draws = new Draws(raw);
const settings = drawSettings(draws);
const fields = drawFields(draws);
const variants = Array.from({ length: 1 + draws.int(3) }, (_, i) => drawVariant(draws, ['S', 'M', 'L'][i] ?? ''));
const R = process.argv[4] === 'lossless' ? LOSSLESS : LOSSY;
let scene: Scene = {
  represent: R,
  shelves: { woocommerce: shelve(R, 'woocommerce', fields, variants), shopify: shelve(R, 'shopify', fields, variants) },
  memory: NOTHING,
};
const s = (x: unknown) => JSON.stringify(x);
console.log(
  s({
    d: settings.syncDirection,
    c: settings.conflictResolution,
    p: settings.preferredSide,
    l: settings.linkRule,
    e: settings.enforce,
    prod: settings.syncProducts,
    pr: settings.syncPrices,
  }),
);
let reached: readonly string[] = [];
let t = 0;
let half = false;
function round(read: readonly ('woocommerce' | 'shopify')[], order = SIDES as readonly ('woocommerce' | 'shopify')[]) {
  t += 1000;
  const l = look(scene, read, order, settings, t);
  console.log('LOOK', read.join('+'));
  for (const side of SIDES) {
    const r = l.reconciliation.sides[side];
    if (r?.write || r?.conflicts.length || r?.drift.length || l.archive[side])
      console.log(
        '   ',
        side,
        'write',
        s(r?.write),
        'conf',
        s(r?.conflicts),
        'drift',
        s(r?.drift),
        'arch',
        s(l.archive[side]),
      );
  }
  console.log('   changes', s(l.reconciliation.changes), 'seen', s(l.reconciliation.seen));
  scene = { ...scene, memory: l.memory };
  for (const side of read)
    if (!half || reached.includes(side))
      scene = send(scene, side, l.reconciliation.sides[side]?.write ?? null, l.archive[side]);
}
const order = process.argv[3] === 'back' ? [...SIDES].reverse() : SIDES;
const isFirst = draws.int(4) === 3;
reached = draws.pick<readonly string[]>([[], ['woocommerce'], ['shopify']]);
console.log('reached', reached);
if (!isFirst) {
  for (let i = 0; i < 2; i += 1) round(SIDES);
}
console.log('===== first', isFirst);
const READS = [SIDES, SIDES, ['woocommerce'], ['shopify']] as const;
const n = 1 + draws.int(3);
for (let step = 0; step < n; step += 1) {
  half = process.argv[5] === 'half' && step === n - 1;
  const m = draws.int(4);
  for (let i = 0; i < m; i += 1) {
    const e = drawEdit(draws, step * 10 + i);
    console.log('EDIT', s(e));
    scene = edit(scene, e);
  }
  round(isFirst && step === 0 ? SIDES : draws.pick(READS), order);
}
console.log('===== rest');
half = false;
for (let i = 0; i < 3; i += 1) round(SIDES, order);
