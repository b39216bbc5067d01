import type { ProductId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { loadHub } from '../hub.ts';
import { asConnectorError, outcomeOfRead } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import type { ProductSubject } from '../products/product-subject.ts';
import { noteSights } from '../sights.ts';
import { noteReadError } from '../stores/store-state.ts';

/** More of them are no replacement, but a catalogue in disorder: that is a person's. */
const RIVALS_MAX = 10;

/**
 * [M1] A record that bears the key of a known one is its rival, unless that one is gone for good and nobody told: then it was made again, as a person or
 * an import does. Which of the known ones are gone: the store says exactly "not there" and shows the new one in the same answer, so that also a
 * catalogue that was replaced as a whole has its witness [G7]. Sets an outcome where the store did not say.
 */
export async function findGoneRivals(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  side: Side,
  rivals: readonly ProductId[],
  signal: AbortSignal,
): Promise<ReadonlySet<ProductId>> {
  const stranger = subject.unknown?.externalId;
  const known = rivals.flatMap((id) => {
    const externalId = loadHub(ctx.db, id)?.bindings[side]?.externalId;
    return typeof externalId === 'string' ? [{ id, externalId }] : [];
  });
  const gone = new Set<ProductId>();
  if (stranger === undefined || known.length === 0 || known.length > RIVALS_MAX) return gone;
  try {
    const asked = [...known.map(({ externalId }) => externalId), stranger];
    const answers = await view.connectors[side].readProducts(asked, signal);
    noteSights(
      ctx,
      view,
      side,
      answers.flatMap((answer) => (answer.ok ? [answer.value] : [])),
    );
    const isWitnessed = answers[known.length]?.ok === true;
    known.forEach(({ id }, i) => {
      const answer = answers[i];
      if (answer?.ok) return;
      if (answer?.error.kind === 'not_found' && isWitnessed) gone.add(id);
      else subject.outcome ??= { type: 'retry', reason: 'whether a record with its key is still there was not said' };
    });
  } catch (error) {
    const failure = asConnectorError(error);
    noteReadError(ctx, view.stores[side], failure);
    subject.outcome ??= outcomeOfRead(failure);
  }
  return gone;
}
