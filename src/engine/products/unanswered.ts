import type { Db, Tx } from '../../db/database.ts';
import { findProblemDetails } from '../../db/writers/history.ts';
import { updateProductBinding } from '../../db/writers/products.ts';
import { fingerprint } from '../../lib/hash.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import type { ProductIntent } from '../../model/hub.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { type HubState, loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { raise } from '../problems.ts';
import { triedWords, UNANSWERED_TOLD, unansweredWords, WRITE_UNANSWERED } from '../unanswered-words.ts';
import type { ProductSubject } from './product-subject.ts';
import type { ProductPush } from './push-products.ts';

/** So long after its fence is over the very same write is left alone, ms: longer each time. */
const PAUSE_MS = { first: 5 * MINUTE_MS, most: HOUR_MS } as const;

/** What is noted with a write that was never answered. `until`: when the very same (`write`) is tried again, ms. */
export interface UnansweredDetails {
  readonly tries: number;
  readonly write: string;
  readonly until: number;
}

/** [W8] Behind its fence it is tried again and again: one that never has an answer is told of, and tried ever more seldom. */
export function noteUnanswered(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { productId, side, intent }: ProductPush,
  error: ConnectorError,
  fencedUntil: number,
): void {
  const hub = loadHub(tx, productId);
  const stored = hub?.bindings[side]?.intent;
  if (hub === null || !stored) return;
  const tries = (intent.unanswered ?? 0) + 1;
  updateProductBinding(tx, productId, side, { intent: { ...stored, unanswered: tries } });
  if (tries < UNANSWERED_TOLD) return;
  const pauseMs = Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** Math.min(tries - UNANSWERED_TOLD, 10));
  const details: UnansweredDetails = { tries, write: printOf(intent), until: fencedUntil + pauseMs };
  const words = unansweredWords(side, triedWords(intent, hub.row.title), tries, error.message);
  raise(ctx, tx, view, { productId, side, subject: subjectOf(hub, side) }, words, details);
}

/** How many writes before the one that is planned now had no answer. Once that is told, it is noted there: they are pauses apart. */
export function unansweredSoFar(
  db: Db,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
): Pick<ProductIntent, 'unanswered'> {
  const unanswered = Math.max(subject.unanswered[side] ?? 0, detailsOf(db, hub, side)?.tries ?? 0);
  return unanswered === 0 ? {} : { unanswered };
}

/** Whether the very same write had no answer time after time, and is not due again yet; then a job of its own comes back for it. */
export function isPutOff(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
  intent: ProductIntent,
): boolean {
  const told = detailsOf(tx, hub, side);
  const now = ctx.clock.now();
  // A clock that was set back makes no pause longer.
  if (told === null || told.until <= now || told.until > now + PAUSE_MS.most || told.write !== printOf(intent))
    return false;
  enqueueProductSync(tx, view.pair.id, { ref: { productId: hub.row.id }, observe: [...SIDES] }, told.until);
  subject.result = 'failed';
  subject.detail = `no answer to ${told.tries} tries in a row: it is tried again later`;
  return true;
}

function detailsOf(db: Db, hub: HubState, side: Side): UnansweredDetails | null {
  return findProblemDetails(db, hub.row.pairId, WRITE_UNANSWERED, subjectOf(hub, side)) as UnansweredDetails | null;
}

function subjectOf(hub: HubState, side: Side): string {
  return `${hub.row.id}:${side}`;
}

/** By what a write is told from another one. The stock that something is made with moves by itself. */
function printOf(intent: ProductIntent): string {
  if (intent.type === 'create') return fingerprint(intent.to);
  const { fields, variants, newVariants, archived } = intent;
  return fingerprint({ fields, variants, newVariants, archived });
}
