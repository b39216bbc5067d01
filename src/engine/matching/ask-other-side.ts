import { asRecordKey, type MatchResult, matchRecord } from '../../core/match.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import type { ProductId } from '../../model/ids.ts';
import type { MatchKey } from '../../model/match.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { SearchKey } from '../../model/search-key.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { isBound, loadHub } from '../hub.ts';
import { asConnectorError, outcomeOfRead, outcomeOfReadItem } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import type { ProductSubject } from '../products/product-subject.ts';
import { noteReadError, noteStoreError } from '../stores/store-state.ts';
import { findBearers, keysBorneBy } from './strangers.ts';
import { tellUnsearched } from './unsearched.ts';

export type AnswerOfOther =
  | { readonly is: 'found'; readonly record: ProductSnapshot }
  /** It is known already, and waits for a record of this side. */
  | { readonly is: 'known'; readonly productId: ProductId; readonly by: MatchKey }
  | { readonly is: 'nobody' }
  /** `partner`: the title of the one record that it leads to, which leads to others. */
  | { readonly is: 'ambiguous'; readonly by: MatchKey; readonly partner?: string }
  /** That could not be told, and the subject has its outcome. */
  | { readonly is: 'unanswered' };

/** A record, and what it can be found by. */
interface Bearer {
  readonly externalId: string;
  readonly keys: readonly SearchKey[];
}

/**
 * [M1]-[M5] The one record of the other side that this one is to be linked with, by the SKUs and GTINs that it has, or would be made with there: as the
 * plan matches two by these. Each of them has to lead to the other, by the strongest kind of key that leads anywhere.
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
  let asked = other;
  const findLive = async (on: Side, wanted: readonly SearchKey[], itself: string | null) => {
    asked = on;
    const found = await findBearers(ctx, view, on, wanted, itself, signal);
    return found.filter((record) => !record.trashed && record.externalId !== itself);
  };
  try {
    const found = await findLive(other, keys, null);
    // [M3] The plan would call it ambiguous: two records of its own store share a key, whether the other store has it or not.
    const twins = await findLive(side, keys, snapshot.externalId);
    const asking: Bearer = { externalId: snapshot.externalId, keys };
    const match = matchAmong(asking, bearersOf(twins), bearersOf(found));
    if (match.is === 'alone') return { is: 'nobody' };
    const only = found.find(({ externalId }) => match.is === 'matched' && externalId === match.externalId);
    if (only === undefined || only.unsyncable !== null) return { is: 'ambiguous', by: match.by };
    // [M5] Others may lead to it too, by keys that this one does not have.
    const back: Bearer = { externalId: only.externalId, keys: keysBorneBy(only) };
    const more = back.keys.filter((key) => !keys.includes(key));
    const claimants = [...twins, ...(await findLive(side, more, snapshot.externalId))];
    const alike = [...found, ...(await findLive(other, more, only.externalId))].filter((record) => record !== only);
    const wayBack = matchAmong(back, bearersOf(alike), [asking, ...bearersOf(claimants)]);
    if (wayBack.is !== 'matched' || wayBack.externalId !== snapshot.externalId)
      return { is: 'ambiguous', by: wayBack.is === 'alone' ? match.by : wayBack.by, partner: only.fields.title };
    const known = findProductByExternal(ctx.db, view.pair.id, other, only.externalId);
    if (known === null) return { is: 'found', record: only };
    const hub = loadHub(ctx.db, known);
    const isWaiting = hub !== null && hub.row.state === 'live' && !isBound(hub, side);
    return isWaiting ? { is: 'known', productId: known, by: match.by } : { is: 'ambiguous', by: match.by };
  } catch (error) {
    cannotTell(ctx, view, subject, { side, asked }, error);
    return { is: 'unanswered' };
  }
}

/** `own`: others of its side, `other`: those of the other one, each listed once or more. */
function matchAmong(record: Bearer, own: readonly Bearer[], other: readonly Bearer[]): MatchResult {
  const [ownBy, otherBy] = [byKey(own), byKey(other)];
  const holders = record.keys.map((key) => ({
    key: asRecordKey(key),
    own: [record.externalId, ...(ownBy.get(key) ?? [])],
    other: [...(otherBy.get(key) ?? [])],
  }));
  return matchRecord(record.externalId, holders);
}

function byKey(records: readonly Bearer[]): ReadonlyMap<SearchKey, ReadonlySet<string>> {
  const ids = new Map<SearchKey, Set<string>>();
  for (const { externalId, keys } of records)
    for (const key of keys) ids.set(key, (ids.get(key) ?? new Set()).add(externalId));
  return ids;
}

function bearersOf(records: readonly ProductSnapshot[]): readonly Bearer[] {
  return records.map((record) => ({ externalId: record.externalId, keys: keysBorneBy(record) }));
}

/** A question of a side (`asked`) about the subject's record of `side` had no answer: the subject waits as such an error has it. */
export function cannotTell(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  { side, asked }: { readonly side: Side; readonly asked: Side },
  error: unknown,
): void {
  const failure = asConnectorError(error);
  const snapshot = subject.snapshots[side];
  if (failure.details.unsearched === undefined || snapshot === undefined) {
    noteReadError(ctx, view.stores[asked], failure);
    subject.outcome ??= outcomeOfRead(failure);
    return;
  }
  noteStoreError(ctx, view.stores[asked], failure);
  const { externalId, fields } = snapshot;
  const waiting = { productId: subject.productId, own: side, title: fields.title, externalId };
  tellUnsearched(ctx, view, waiting, asked, failure);
  subject.outcome ??= outcomeOfReadItem(failure);
}
