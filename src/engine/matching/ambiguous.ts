import { asRecordKey, type RecordKey, recordKeys } from '../../core/match.ts';
import type { Tx } from '../../db/database.ts';
import { rawStatement } from '../../db/raw-statement.ts';
import { findProduct, listBindings } from '../../db/readers/hub-rows.ts';
import { closeProblemsBySubject, findProblemDetails, isProblemOpen } from '../../db/writers/history.ts';
import { fingerprint } from '../../lib/hash.ts';
import { gtinKey } from '../../lib/record-keys.ts';
import type { PairId, ProductId } from '../../model/ids.ts';
import type { MatchKey } from '../../model/match.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import { type SearchKey, searchKeys } from '../../model/search-key.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import type { PairView } from '../pair-view.ts';
import { type ProblemWords, raise, WORDS } from '../problems.ts';
import { UNSYNCABLE_CODES } from '../products/unsyncable-words.ts';

const CODE = 'AMBIGUOUS_MATCH';

/** Keys that are remembered with a problem at most: two for each variant of the largest product, and some more. */
const KEYS_MAX = 4_200;

/** Of the values that a person is shown. */
const SHOWN_MAX = 3;

const KEY_WORDS: Readonly<Record<MatchKey, string>> = {
  mark: 'mark of this server',
  barcode: 'barcode',
  sku: 'SKU',
  handle: 'handle and options',
};

interface Details {
  /** Fingerprints of what it could be matched by when it was told. */
  readonly keys: readonly string[];
}

interface Asked {
  readonly productId: ProductId | null;
  readonly side: Side;
  readonly snapshot: ProductSnapshot;
  /** What it could be, as far as that is known. */
  readonly rivals?: readonly ProductId[];
  /** The title of what it leads to, which bears the key that leads to others. */
  readonly partner?: string | undefined;
}

/** [M3] Nothing is done with a record until a person has made its keys unique. `by`: the kind of key that leads to more than one. Whether that is new. */
export function tellAmbiguous(ctx: EngineContext, tx: Tx, view: PairView, about: Asked, by: string): boolean {
  const { productId, side, snapshot } = about;
  const known = recordKeys(snapshot, view.pair.id);
  const details: Details = { keys: known.slice(0, KEYS_MAX).map(({ type, value }) => keyPrint(type, value)) };
  const subject = `${side}:${snapshot.externalId}`;
  const words = wordsFor(tx, about, by);
  // It was read, and fits: that it could not be or did not is over.
  if (productId === null && snapshot.unsyncable === null)
    for (const code of [...UNSYNCABLE_CODES, 'READ_REFUSED'])
      closeProblemsBySubject(tx, view.pair.id, code, subject, ctx.clock.now());
  const before = findProblemDetails(tx, view.pair.id, CODE, subject) as Details | null;
  const isNew = raise(ctx, tx, view, { productId, side, subject }, words, details);
  // What it has given up since it was told may be another's alone by now.
  const borne = new Set(details.keys);
  const lost = (before?.keys ?? []).filter((key) => !borne.has(key));
  wake(tx, view.pair.id, lost, ctx.clock.now());
  return isNew;
}

function wordsFor(tx: Tx, { side, snapshot, rivals = [], partner }: Asked, by: string): ProblemWords {
  const { title } = snapshot.fields;
  const key = KEY_WORDS[by as MatchKey] ?? by;
  const values = shown(snapshot, by);
  // It leads to one record by another key, and that one bears what is not unique.
  if (values === '' && partner !== undefined && (by === 'sku' || by === 'barcode'))
    return WORDS.ambiguousPartner(side, title, key, partner);
  const left = rivals.flatMap((id) => {
    const product = findProduct(tx, id);
    const on = product?.state === 'deleted' ? listBindings(tx, id).find(({ externalId }) => externalId !== null) : null;
    return product === null || on == null ? [] : [{ title: product.title, side: on.side }];
  });
  return WORDS.ambiguous(side, title, key, values, left, left.length === rivals.length);
}

/** What a person has to make unique; the handle and our own mark are not theirs to look for by value. */
function shown({ variants }: ProductSnapshot, by: string): string {
  if (by !== 'sku' && by !== 'barcode') return '';
  const isKey = (value: string) => (by === 'sku' ? value !== '' : gtinKey(value) !== null);
  const values = [...new Set(variants.map(({ fields }) => fields[by].trim()).filter(isKey))];
  return [...values.slice(0, SHOWN_MAX), ...(values.length > SHOWN_MAX ? ['…'] : [])].join(', ');
}

/**
 * [M3] It is known whose this record is, or that it is nobody's: who could have been meant by the same keys is looked at again. A person corrects one
 * of them, and its shop tells of no other. `subject`: `side:id`.
 */
export function closeAmbiguous(tx: Tx, pairId: PairId, subject: string, at: number): void {
  if (!isProblemOpen(tx, pairId, CODE, subject)) return;
  const told = findProblemDetails(tx, pairId, CODE, subject) as Details | null;
  closeProblemsBySubject(tx, pairId, CODE, subject, at);
  if (told !== null) wake(tx, pairId, told.keys, at);
}

/** [M3] A known record has given up a SKU or a GTIN: who waits for a person because of it is looked at again. */
export function wakeAmbiguous(tx: Tx, pairId: PairId, key: SearchKey, at: number): void {
  const { type, value } = asRecordKey(key);
  wake(tx, pairId, [keyPrint(type, value)], at);
}

/** [P1] A product was put away with a delete, or lives again: who waits for a person because of what it bears is told by what it is now. */
export function wakeRivals(tx: Tx, pairId: PairId, { variants }: CanonicalProduct, at: number): void {
  for (const fields of Object.values(variants))
    for (const key of searchKeys(fields)) wakeAmbiguous(tx, pairId, key, at);
}

/** Where two of one side bear the key still, they are as ambiguous as before: whoever of them is settled next comes here again. */
function wake(tx: Tx, pairId: PairId, keys: readonly string[], at: number): void {
  for (const key of keys) {
    const bearers = openOnes(tx).all(pairId, key);
    for (const side of SIDES) {
      const own = bearers.filter((row) => row.side === side);
      const [only] = own;
      if (only === undefined || own.length > 1) continue;
      const externalId = only.subject.slice(side.length + 1);
      enqueueProductSync(tx, pairId, { ref: { side, externalId }, observe: [side] }, at);
    }
  }
}

function keyPrint(type: RecordKey['type'], value: string): string {
  return fingerprint([type, value]).slice(0, 12);
}

// By its own index: a pair may have thousands of other problems open.
const openOnes = rawStatement<[pair: string, key: string], { side: Side; subject: string }>(
  `SELECT side, subject FROM problem INDEXED BY problem_open
   WHERE pair_id = ? AND state = 'open' AND code = '${CODE}' AND side IS NOT NULL AND instr(details, ?) > 0 LIMIT 4`,
);
