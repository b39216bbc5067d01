import { asRecordKey, matchRecord } from '../core/match.ts';
import { findProductByExternal } from '../db/readers/products.ts';
import type { MatchKey } from '../model/match.ts';
import { otherSide, type Side } from '../model/platform.ts';
import type { SearchKey } from '../model/search-key.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import type { EngineContext } from './context.ts';
import { asConnectorError, outcomeOfRead } from './outcome.ts';
import type { PairView } from './pair-view.ts';
import type { ProductSubject } from './product-subject.ts';
import { noteReadError } from './store-state.ts';
import { bears, findBearers, keysBorneBy, SEARCH_MAX } from './strangers.ts';

export type AnswerOfOther =
  | { readonly is: 'found'; readonly record: ProductSnapshot }
  | { readonly is: 'nobody' }
  | { readonly is: 'ambiguous'; readonly by: MatchKey }
  /** That could not be told, and the subject has its outcome. */
  | { readonly is: 'unanswered' };

/**
 * [M1]-[M5] The one record of the other side that this one is to be linked with, by the keys that it has, or would be made with there: as the plan
 * would match the two.
 */
export async function askOtherSide(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  side: Side,
  snapshot: ProductSnapshot,
  keys: readonly SearchKey[],
  signal: AbortSignal,
): Promise<AnswerOfOther> {
  if (keys.length === 0) return { is: 'nobody' };
  const other = otherSide(side);
  const asked = keys.slice(0, SEARCH_MAX);
  const findLive = async (on: Side, wanted: readonly SearchKey[], itself: string | null) =>
    (await findBearers(ctx, view, on, wanted, itself, signal)).filter(
      (record) => !record.trashed && record.externalId !== itself,
    );
  try {
    const found = await findLive(other, asked, null);
    // [M3] The plan would call it ambiguous: two records of its own store share a key, whether the other store has it or not.
    const twins = await findLive(side, asked, snapshot.externalId);
    const holders = asked.map((key) => ({
      key: asRecordKey(key),
      own: [snapshot.externalId, ...idsOfThose(twins, key)],
      other: idsOfThose(found, key),
    }));
    const match = matchRecord(snapshot.externalId, holders);
    if (match.is === 'alone') return { is: 'nobody' };
    const only = found.find(({ externalId }) => match.is === 'matched' && externalId === match.externalId);
    const { by } = match;
    if (only === undefined || only.unsyncable !== null) return { is: 'ambiguous', by };
    if (findProductByExternal(ctx.db, view.pair.id, other, only.externalId) !== null) return { is: 'ambiguous', by };
    // [M5] Another record of this store may claim it too, by a key that this one does not have.
    const others = keysBorneBy(only).filter((key) => !keys.includes(key));
    const rivals = await findLive(side, others.slice(0, SEARCH_MAX), snapshot.externalId);
    return rivals.length > 0 ? { is: 'ambiguous', by } : { is: 'found', record: only };
  } catch (error) {
    cannotTell(ctx, view, subject, other, error);
    return { is: 'unanswered' };
  }
}

function idsOfThose(records: readonly ProductSnapshot[], key: SearchKey): readonly string[] {
  return records.filter((record) => bears(record, [key])).map(({ externalId }) => externalId);
}

/** A question of a side had no answer: the subject waits as such an error has it. */
export function cannotTell(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  asked: Side,
  error: unknown,
): void {
  const failure = asConnectorError(error);
  noteReadError(ctx, view.stores[asked], failure);
  subject.outcome ??= outcomeOfRead(failure);
}
