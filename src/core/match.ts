import { MATCH_KEYS, type MatchKey } from '../model/match.ts';
import { type SearchKey, searchKeys, splitSearchKeys } from '../model/search-key.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import { normaliseText } from './normalise.ts';
import { looseOptionKey } from './variants.ts';

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
  const { handle } = snapshot.fields;
  if (handle !== '')
    for (const set of optionSets(snapshot)) keys.push({ type: 'handle', value: `${handle}\u0000${set}` });
  const seen = new Set<string>();
  return keys.filter((key) => !seen.has(`${key.type}:${key.value}`) && seen.add(`${key.type}:${key.value}`));
}

/** What a store is asked by, as what records are matched by. */
export function asRecordKey(key: SearchKey): RecordKey {
  const { skus, gtins } = splitSearchKeys([key]);
  return gtins[0] === undefined ? { type: 'sku', value: skus[0] ?? '' } : { type: 'barcode', value: gtins[0] };
}

/**
 * [M1] A title as two products are held to be namesakes by: as texts are compared [R14], letter case and accents apart. Nothing is linked by it. '': it has
 * none. Marks of other scripts tell words apart, and stay.
 */
export function titleKey(title: string): string {
  return normaliseText(title)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

/**
 * The option values of all variants by their places, and by the names of their options but for one: the two shops may have them in another order [R4],
 * and may call one of them otherwise. Where they do that with more, nothing tells which value is of which option, and no variant would be known by its own.
 */
function optionSets({ fields: { optionNames }, variants }: ProductSnapshot): readonly string[] {
  const set = (keysOf: (values: readonly string[]) => readonly string[]) =>
    variants
      .map(({ fields }) => keysOf(fields.optionValues).join('\u0002'))
      .sort()
      .join('\u0001');
  const byPlace = set((values) => [looseOptionKey(values)]);
  if (optionNames.length < 2) return [byPlace];
  const named = (but: number) =>
    set((values) => values.map((value, i) => looseOptionKey([i === but ? '' : (optionNames[i] ?? ''), value])).sort());
  return [byPlace, ...optionNames.map((_name, but) => named(but))];
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
