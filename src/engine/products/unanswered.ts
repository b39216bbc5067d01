import type { Db, Tx } from '../../db/database.ts';
import { closeProblemsBySubject, findProblemDetails, sayAnew } from '../../db/writers/history.ts';
import { updateProductBinding } from '../../db/writers/products.ts';
import { fingerprint } from '../../lib/hash.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import type { ProductIntent } from '../../model/hub.ts';
import type { ProductId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { type HubState, loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { raise } from '../problems.ts';
import { triedWords, UNANSWERED_TOLD, unansweredWords, WRITE_UNANSWERED } from '../unanswered-words.ts';
import type { ProductSubject } from './product-subject.ts';
import type { ProductPush } from './push-products.ts';
import { type Choice, chooseParts, dueAt, type Part, partsOf, type Suspects, suspectsOf } from './suspects.ts';

/** What is noted with a write that was never answered. `tries`: how many of the record to this side, in all. `said`: what the last answer was. */
interface UnansweredDetails {
  readonly tries: number;
  // Builds before this one noted neither.
  readonly parts?: Suspects;
  readonly said?: string;
}

/** [W8] Behind its fence it is tried again and again: one that never has an answer is told of, and tried ever more seldom. */
export function noteUnanswered(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  { productId, side, intent, leftOut }: ProductPush,
  error: ConnectorError,
  fencedUntil: number,
): void {
  const hub = loadHub(tx, productId);
  const stored = hub?.bindings[side]?.intent;
  if (hub === null || !stored) return;
  const tries = (intent.unanswered ?? 0) + 1;
  updateProductBinding(tx, productId, side, { intent: { ...stored, unanswered: tries } });
  if (tries < UNANSWERED_TOLD) return;
  const told = detailsOf(tx, hub, side)?.parts ?? {};
  const waiting = putOffOf(told, leftOut.putOff);
  const details: UnansweredDetails = {
    tries,
    said: error.message,
    parts: { ...waiting, ...suspectsOf(printsOf(hub, intent), told, fencedUntil) },
  };
  const words = unansweredWords(side, attempted(intent, hub.row.title, waiting), tries, error.message);
  raise(ctx, tx, view, { productId, side, subject: subjectOf(productId, side) }, words, details);
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

/** Which parts of an update are sent now, where some had no answer time after time. */
export function chooseUpdate(
  ctx: EngineContext,
  db: Db,
  hub: HubState,
  side: Side,
  parts: ReadonlyMap<string, Part>,
): Choice {
  const told = detailsOf(db, hub, side);
  return told === null ? { is: 'none' } : chooseParts(parts, told.parts ?? {}, ctx.clock.now());
}

/** Until when a create that had no answer time after time is left alone, ms; null: it is due. */
export function createPutOff(
  ctx: EngineContext,
  db: Db,
  hub: HubState,
  side: Side,
  intent: ProductIntent,
): number | null {
  const told = detailsOf(db, hub, side);
  const parts = new Map(printsOf(hub, intent).map(([name, print]) => [name, { print }]));
  const choice = told === null ? null : chooseParts(parts, told.parts ?? {}, ctx.clock.now());
  return choice?.is === 'all' ? choice.until : null;
}

/** Nothing of what is owed to a side is due: a job of its own comes back for it. */
export function putOff(
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
  until: number,
): void {
  enqueueProductSync(tx, view.pair.id, { ref: { productId: hub.row.id }, observe: SIDES }, until);
  tellPutOff(subject, detailsOf(tx, hub, side)?.tries ?? 0);
}

/**
 * A write was answered, one way or the other: it was that, or what was put off meanwhile goes on waiting, for which the same or another job comes back. What
 * was refused is told of as that.
 */
export function noteAnswered(ctx: EngineContext, tx: Tx, view: PairView, push: ProductPush): void {
  const { productId, side, subject, leftOut } = push;
  const about = subjectOf(productId, side);
  const now = ctx.clock.now();
  const told = findProblemDetails(tx, view.pair.id, WRITE_UNANSWERED, about) as UnansweredDetails | null;
  const parts = putOffOf(told?.parts ?? {}, leftOut.putOff);
  const waiting = Object.values(parts);
  if (told === null || waiting.length === 0) {
    closeProblemsBySubject(tx, view.pair.id, WRITE_UNANSWERED, about, now);
    return;
  }
  const tried = triedWords(loadHub(tx, productId)?.row.title ?? '', Object.keys(parts), 0, 0);
  const { message } = unansweredWords(side, tried, told.tries, told.said ?? 'no answer');
  sayAnew(tx, view.pair.id, { code: WRITE_UNANSWERED, subject: about }, { message, details: { ...told, parts } });
  const at = Math.min(...waiting.map((own) => dueAt(own, waiting)));
  enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: SIDES }, Math.max(now, at));
  if (subject.result === 'written') tellPutOff(subject, told.tries);
}

/** Nothing of an update is sent in this pass, and parts of it (`names`) wait for a try of their own: a job of its own comes back for them. */
export function comeBackFor(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  side: Side,
  names: ReadonlySet<string>,
): void {
  const waiting = Object.values(putOffOf(detailsOf(tx, hub, side)?.parts ?? {}, names));
  if (waiting.length === 0) return;
  // What came to nothing now would do so again.
  const at = Math.max(ctx.clock.now() + MINUTE_MS, Math.min(...waiting.map(({ until }) => until)));
  enqueueProductSync(tx, view.pair.id, { ref: { productId: hub.row.id }, observe: SIDES }, at);
}

/** What is noted once a person has asked for it: all of it is due, and tried together. */
export function askedAgain(details: unknown): unknown {
  const { parts = {}, ...told } = (details ?? {}) as Partial<UnansweredDetails>;
  return {
    ...told,
    parts: Object.fromEntries(Object.entries(parts).map(([name, own]) => [name, { ...own, until: 0 }])),
  };
}

/** By what a write is told from another one. The stock that something is made with moves by itself. */
function printsOf(hub: HubState, intent: ProductIntent): readonly [name: string, print: string][] {
  if (intent.type === 'create') return [['create', fingerprint(intent.to)]];
  return [...partsOf(intent, hub.row.data)].map(([name, { print }]) => [name, print]);
}

function putOffOf(told: Suspects, names: ReadonlySet<string>): Suspects {
  return Object.fromEntries(Object.entries(told).filter(([name]) => names.has(name)));
}

function attempted(intent: ProductIntent, title: string, waiting: Suspects): string {
  if (intent.type === 'create') return `to make "${title}"`;
  const { fields, variants, newVariants, archived } = intent;
  const names = [fields, ...Object.values(variants), waiting].flatMap((part) => Object.keys(part));
  return triedWords(title, names, newVariants.length, archived.length);
}

function tellPutOff(subject: ProductSubject, tries: number): void {
  subject.result = 'failed';
  subject.detail = `no answer to ${tries} tries in a row: it is tried again later`;
}

function detailsOf(db: Db, hub: HubState, side: Side): UnansweredDetails | null {
  return findProblemDetails(
    db,
    hub.row.pairId,
    WRITE_UNANSWERED,
    subjectOf(hub.row.id, side),
  ) as UnansweredDetails | null;
}

function subjectOf(productId: ProductId, side: Side): string {
  return `${productId}:${side}`;
}
