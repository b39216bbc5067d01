import { LOOK_AFTER_MS } from '../../engine/enqueue.ts';
import type { Violation } from './check.ts';
import { checkRate } from './check-rate.ts';
import { type Act, BUSY, type CrowdedHost, SAVING_MS, SLOTS } from './crowded-host.ts';

/** A batch asks a side, or both at once, so often at most, one request after the other: read, read again what is written blindly, write, settle, say. */
const REQUESTS = 5;
/** Between two requests at the rate of the slowest store, ms. */
const RATE_STEP_MS = 50;
/** Products that wait for their turn, on the average: with fewer there would be no crowd. */
const WAITING_MIN = 20;

/**
 * [I11] How late something may be where nothing fails.
 *
 * A sale: it is told of in one delivery; then a slot is free, or has another pair's stock in work (nothing else may have the last one); its own pair's
 * stock may be in work too; then its own batch goes. That is less than the half of what one batch of products takes, so that a sale goes before all of these
 * that wait, in its own pair as well.
 *
 * A sale in a shop that tells of it as of an edit: it is looked for first, which is two requests once there is a slot, after those of the look that was in work.
 *
 * An edit in a quiet pair: what is in work ends; then each of the others has its turn once at most, and one turn in four is a full look's, as many at a time as
 * there are slots but the one that is kept for stock; a batch of products takes as long as it takes to save them and to read them.
 */
function boundMs({ what, isToldAsEdit }: Act, latencyMs: number): number {
  const requestMs = latencyMs + RATE_STEP_MS;
  const batchMs = REQUESTS * requestMs;
  const lookMs = isToldAsEdit ? LOOK_AFTER_MS + 2 * batchMs : 0;
  if (what === 'sale') return requestMs + lookMs + 3 * batchMs;
  const rounds = 1 + Math.ceil((BUSY + Math.ceil(BUSY / 3)) / (SLOTS - 1));
  return requestMs + rounds * (SAVING_MS + batchMs) + batchMs;
}

/** [I11] A busy pair starves nobody, and stock goes before everything else. */
export function checkFairness(host: CrowdedHost): readonly Violation[] {
  const violations: Violation[] = host.world.bugs.map((error) => ({
    invariant: 'I0 no bug',
    message: error instanceof Error ? `${error.message}\n${error.stack}` : String(error),
  }));
  violations.push(...host.world.breaches, ...checkRate(host.shops));
  for (const act of host.acts) {
    const limitMs = boundMs(act, host.latencyMs);
    const arrived = arrivedAt(act);
    if (arrived !== null && arrived - act.at <= limitMs) continue;
    const where = act.isQuiet ? 'a quiet pair' : 'a busy pair';
    const when = arrived === null ? 'never' : `after ${arrived - act.at} ms`;
    violations.push({
      invariant: 'I11 fairness',
      message: `${act.what === 'sale' ? 'a sale' : 'an edit'} in ${where} arrived ${when} instead of within ${limitMs} ms (${act.shop.name} ${act.id}); ${act.waiting.own} products of its pair and ${act.waiting.all} in all waited`,
    });
  }
  const waiting = host.acts.reduce((sum, act) => sum + act.waiting.all, 0) / host.acts.length;
  if (!(waiting >= WAITING_MIN))
    violations.push({ invariant: 'vacuous', message: `${waiting} products waited, which is no crowd` });
  if (!host.acts.some(({ what, isQuiet, waiting: { own } }) => what === 'sale' && !isQuiet && own > 0))
    violations.push({ invariant: 'vacuous', message: 'nothing was sold while products of the same pair waited' });
  return violations;
}

/** When our write arrived, ms; null: never. */
function arrivedAt({ shop, id, what, to, at }: Act): number | null {
  const kind = what === 'sale' ? 'set_stock' : 'set_field';
  const entries = shop.shelf.ledger.of(id);
  return entries.find((each) => each.by === 'us' && each.kind === kind && each.at >= at && each.to === to)?.at ?? null;
}
