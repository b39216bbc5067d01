import { MATCH_KEYS, type MatchKey } from '../model/match.ts';
import { type SearchKey, searchKeys, splitSearchKeys } from '../model/search-key.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import { optionKey } from './variants.ts';

export interface RecordKey {
  readonly type: MatchKey;
  readonly value: string;
}

/**
 * [M1] What a record can be matched by: our own mark, valid barcodes, SKUs, and its handle together with its option values.
 * A title is never among them. SKUs and barcodes are told apart as `lib/record-keys.ts` does.
 */
export function recordKeys(snapshot: ProductSnapshot, pairId: string): readonly RecordKey[] {
  const keys: RecordKey[] = [];
  for (const mark of snapshot.marks) if (mark.pairId === pairId) keys.push({ type: 'mark', value: mark.hubId });
  for (const { fields } of snapshot.variants) keys.push(...searchKeys(fields).map(asRecordKey));
  if (snapshot.fields.handle !== '')
    keys.push({ type: 'handle', value: `${snapshot.fields.handle}\u0000${optionSet(snapshot)}` });
  const seen = new Set<string>();
  return keys.filter((key) => !seen.has(`${key.type}:${key.value}`) && seen.add(`${key.type}:${key.value}`));
}

/** What a store is asked by, as what records are matched by. */
export function asRecordKey(key: SearchKey): RecordKey {
  const { skus, gtins } = splitSearchKeys([key]);
  return gtins[0] === undefined ? { type: 'sku', value: skus[0] ?? '' } : { type: 'barcode', value: gtins[0] };
}

/** The two shops may have their options in another order [R4]. */
function optionSet(snapshot: ProductSnapshot): string {
  return snapshot.variants
    .map(({ fields }) => fields.optionValues.map((value) => optionKey([value])).sort())
    .map((values) => optionKey(values))
    .sort()
    .join('\u0001');
}

/** For one key of one record: the records of each side that carry it. */
export interface KeyHolders {
  readonly key: RecordKey;
  /** Holders on the record's own side, itself included. */
  readonly own: readonly string[];
  readonly other: readonly string[];
}

export type MatchResult =
  | { readonly is: 'matched'; readonly externalId: string; readonly by: MatchKey }
  | { readonly is: 'ambiguous'; readonly candidates: readonly string[]; readonly by: MatchKey }
  | { readonly is: 'alone' };

/**
 * [M2]-[M4] The counterpart of one record, by the strongest kind of key that finds any. A key that more than one record of
 * either side carries, or keys of one kind that point at different records, are ambiguous and never guessed; so is a SKU or
 * barcode that two records of the record's own side share, although nothing on the other side carries it yet.
 */
export function matchRecord(externalId: string, holders: readonly KeyHolders[]): MatchResult {
  for (const type of MATCH_KEYS) {
    const ofType = holders.filter((holder) => holder.key.type === type);
    const candidates = [...new Set(ofType.flatMap((holder) => holder.other))];
    const rivals =
      type === 'handle' ? [] : [...new Set(ofType.flatMap((holder) => holder.own))].filter((id) => id !== externalId);
    const only = candidates[0];
    if (rivals.length > 0) return { is: 'ambiguous', candidates: [...candidates, ...rivals], by: type };
    if (only === undefined) continue;
    const isUnique =
      candidates.length === 1 && ofType.every((holder) => holder.own.length <= 1 && holder.other.length <= 1);
    return isUnique ? { is: 'matched', externalId: only, by: type } : { is: 'ambiguous', candidates, by: type };
  }
  return { is: 'alone' };
}
