import { transact } from '../../db/database.ts';
import { findWitnesses } from '../../db/readers/products.ts';
import { chunks } from '../../lib/chunks.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { JobOutcome } from '../../model/job.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { ReadOutcome } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { loadHub } from '../hub.ts';
import { asConnectorError, outcomeOfRead, outcomeOfReadItem } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { noteSights } from '../sights.ts';
import { noteReadError, noteStoreReads } from '../stores/store-state.ts';
import { externalIdOf, type ProductSubject } from './product-subject.ts';

/** Reads every side that a subject asks for and that was not read yet; both platforms at once, in batches. */
export async function observeProducts(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    SIDES.map(async (side) => {
      const asked = subjects.flatMap((subject) => {
        if (
          subject.outcome !== null ||
          !subject.observe.has(side) ||
          subject.snapshots[side] !== undefined ||
          subject.gone.has(side)
        )
          return [];
        const hub = subject.productId === null ? null : loadHub(ctx.db, subject.productId);
        const externalId = externalIdOf(subject, hub, side);
        return externalId === null ? [] : [{ subject, externalId }];
      });
      const connector = view.connectors[side];
      for (const chunk of chunks(asked, connector.capabilities.readBatchMax)) {
        const askedAt = ctx.clock.now();
        try {
          const outcomes = await connector.readProducts(
            chunk.map((entry) => entry.externalId),
            signal,
          );
          noteStoreReads(ctx, view.stores[side].id);
          chunk.forEach(({ subject }, i) => {
            const outcome = outcomes[i] ?? {
              ok: false as const,
              error: new ConnectorError('malformed', 'the platform left an answer out'),
            };
            if (outcome.ok) {
              subject.snapshots[side] = outcome.value;
              subject.askedAt[side] = askedAt;
            } else if (outcome.error.kind === 'not_found') subject.gone.add(side);
            else {
              noteRefused(ctx, view, subject, side, outcome.error);
              subject.outcome ??= outcomeOfReadItem(outcome.error);
            }
          });
        } catch (error) {
          const failure = asConnectorError(error);
          noteReadError(ctx, view.stores[side], failure);
          for (const { subject } of chunk) subject.outcome ??= outcomeOfRead(failure);
        }
      }
    }),
  );
}

/** One record that a store does not want to show, while it shows others. */
function noteRefused(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  side: Side,
  error: ConnectorError,
): void {
  if (error.kind !== 'rejected') return;
  const hub = subject.productId === null ? null : loadHub(ctx.db, subject.productId);
  const externalId = externalIdOf(subject, hub, side);
  const about = { productId: subject.productId, side, subject: `${side}:${externalId}` };
  transact(ctx.db, (tx) =>
    raise(ctx, tx, view, about, WORDS.readRefused(side, hub?.row.title ?? `no. ${externalId}`, error.message)),
  );
}

/** One of them may have been deleted just as well. */
const WITNESSES = 3;

const UNPROVEN: JobOutcome = {
  type: 'retry',
  reason: 'the store says that records are gone, but a known one does not answer either',
};

/**
 * [G7] "Not there" is believed only while another known record of that store answers, and in the same answer: a store that forgets everything
 * for a minute may begin or end between two requests. Its subjects are left alone and looked at again later.
 */
export async function proveGone(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  signal: AbortSignal,
): Promise<void> {
  for (const side of SIDES) {
    const gone = subjects.flatMap((subject) => {
      // [V6] That another record has its id is proof enough.
      if (subject.outcome !== null || !subject.gone.has(side) || subject.reused.has(side)) return [];
      const hub = subject.productId === null ? null : loadHub(ctx.db, subject.productId);
      const externalId = externalIdOf(subject, hub, side);
      return externalId === null ? [] : [{ subject, externalId }];
    });
    if (gone.length === 0) continue;
    const ids = gone.map(({ externalId }) => externalId);
    const witnesses = findWitnesses(ctx.db, view.pair.id, side, ids, WITNESSES);
    // The only record that a store had needs no witness; several that are all it had are a store that has forgotten everything.
    if (witnesses.length === 0 && gone.length === 1) continue;
    const { readBatchMax } = view.connectors[side].capabilities;
    for (const chunk of chunks(gone, Math.max(1, readBatchMax - WITNESSES)))
      await askWithWitnesses(ctx, view, side, { subjects, gone: chunk, witnesses }, signal);
  }
}

/** Nothing where the store did not answer. */
async function ask(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  asked: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly answers: readonly ReadOutcome<ProductSnapshot>[]; readonly askedAt: number }> {
  const askedAt = ctx.clock.now();
  try {
    return { answers: await view.connectors[side].readProducts(asked, signal), askedAt };
  } catch (error) {
    noteReadError(ctx, view.stores[side], asConnectorError(error));
    return { answers: [], askedAt };
  }
}

async function askWithWitnesses(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  {
    subjects,
    gone,
    witnesses,
  }: {
    readonly subjects: readonly ProductSubject[];
    readonly gone: readonly { readonly subject: ProductSubject; readonly externalId: string }[];
    readonly witnesses: readonly string[];
  },
  signal: AbortSignal,
): Promise<void> {
  // Several records that were all the store had: nobody is there to vouch for it.
  if (witnesses.length === 0) {
    for (const { subject } of gone) subject.outcome ??= UNPROVEN;
    return;
  }
  const ids = gone.map(({ externalId }) => externalId);
  let { answers, askedAt } = await ask(ctx, view, side, [...ids, ...witnesses], signal);
  const isShown = () => answers.slice(gone.length).some(({ ok }) => ok);
  if (answers.length > 0 && !isShown()) {
    // All of them may be gone for good: when the oldest products are deleted by the hundred, or a person takes days over what is in question.
    const offset = Math.floor(ctx.random.unit() * view.linkedCount());
    const others = findWitnesses(ctx.db, view.pair.id, side, [...ids, ...witnesses], WITNESSES, offset);
    if (others.length > 0) ({ answers, askedAt } = await ask(ctx, view, side, [...ids, ...others], signal));
  }
  const shown = answers.slice(gone.length).flatMap((answer) => (answer.ok ? [answer.value] : []));
  noteSights(ctx, view, side, shown);
  // A witness may be a subject of this very pass: what it shows now is what is decided on, or an edit that we have seen would be written over.
  for (const subject of subjects) {
    const snapshot = shown.find(({ externalId }) => externalId === subject.snapshots[side]?.externalId);
    if (snapshot === undefined) continue;
    subject.snapshots[side] = snapshot;
    subject.askedAt[side] = askedAt;
  }
  const isProven = shown.length > 0;
  gone.forEach(({ subject }, i) => {
    const answer = answers[i];
    if (isProven && answer?.ok === false && answer.error.kind === 'not_found') return;
    // Whoever is there after all is looked at from the beginning: what was decided since the first reading was decided without it.
    subject.outcome ??= answer?.ok
      ? { type: 'retry', reason: 'the store said that a record is gone, and then showed it' }
      : UNPROVEN;
  });
}
