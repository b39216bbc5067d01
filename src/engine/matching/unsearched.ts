import { transact } from '../../db/database.ts';
import { closeProblemsBySubject, findProblemDetails } from '../../db/writers/history.ts';
import type { ConnectorError, ConnectorErrorDetails } from '../../model/connector-error.ts';
import type { ProductId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { SearchKey } from '../../model/search-key.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { asConnectorError } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { noteStoreError } from '../stores/store-state.ts';
import { findBearers } from './strangers.ts';

export interface Searched<T> {
  readonly found: readonly ProductSnapshot[];
  /** Whose keys were searched for. */
  readonly asked: readonly T[];
  /** Who bears a key that can't be, and why: of these nothing is known. */
  readonly unsearched: readonly (readonly [T, ConnectorError])[];
}

/** [M1] Searches a side for the keys of several at once. A key that it can't be searched for holds up nobody but who bears it. Throws `ConnectorError`. */
export async function findForAll<T extends { readonly keys: readonly SearchKey[] }>(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  due: readonly T[],
  signal: AbortSignal,
): Promise<Searched<T>> {
  const unsearched: (readonly [T, ConnectorError])[] = [];
  for (let asked = due; asked.length > 0; ) {
    try {
      const keys = [...new Set(asked.flatMap((each) => each.keys))];
      return { found: await findBearers(ctx, view, side, keys, null, signal), asked, unsearched };
    } catch (error) {
      const failure = asConnectorError(error);
      const { unsearched: key } = failure.details;
      const bearers = asked.filter(({ keys }) => key !== undefined && keys.includes(key));
      if (bearers.length === 0) throw error;
      noteStoreError(ctx, view.stores[side], failure);
      unsearched.push(...bearers.map((each) => [each, failure] as const));
      asked = asked.filter((each) => !bearers.includes(each));
    }
  }
  return { found: [], asked: [], unsearched };
}

/** A product of `own` that the other side is to get, known or met for the first time. */
export interface Waiting {
  readonly productId: ProductId | null;
  readonly own: Side;
  readonly title: string;
  /** Of its record on `own`, where nothing else is known of it. */
  readonly externalId?: string | undefined;
}

/** That it is neither linked nor made, since one of its keys can't be searched for. `asked`: the side that says so. */
export function tellUnsearched(
  ctx: EngineContext,
  view: PairView,
  { productId, own, title, externalId }: Waiting,
  asked: Side,
  error: ConnectorError,
): void {
  const target = otherSide(own);
  const words = WORDS.unsearched(target, title, asked, error);
  // Of what is not known yet it is over when it is known; of a product, when nothing is owed any more.
  const about =
    productId === null
      ? { productId, side: own, subject: `${own}:${externalId}` }
      : { productId, side: target, subject: `${productId}:${target}` };
  const code = productId === null ? 'READ_REFUSED' : 'WRITE_REJECTED';
  transact(ctx.db, (tx) => raise(ctx, tx, view, about, { ...words, code }, { ...error.details }));
}

/** [P1] Closes what was told so of a product whose keys have been searched for, or are gone: it may still wait, but not for that. `target`: where it would be made. */
export function endUnsearched(ctx: EngineContext, view: PairView, productId: ProductId | null, target: Side): void {
  if (productId === null) return;
  const of = [view.pair.id, 'WRITE_REJECTED', `${productId}:${target}`] as const;
  const details = findProblemDetails(ctx.db, ...of) as Partial<ConnectorErrorDetails> | null;
  if (details?.unsearched === undefined) return;
  transact(ctx.db, (tx) => closeProblemsBySubject(tx, ...of, ctx.clock.now()));
}
