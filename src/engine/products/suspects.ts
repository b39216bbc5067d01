import { type FieldPath, variantPath } from '../../core/fields.ts';
import { isOnSale } from '../../core/safety.ts';
import { fingerprint } from '../../lib/hash.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import type { ProductIntent } from '../../model/hub.ts';
import type { VariantId } from '../../model/ids.ts';
import type { CanonicalProduct, VariantFieldName, VariantFields } from '../../model/product.ts';
import { UNANSWERED_TOLD } from '../unanswered-words.ts';

/** So long after its fence what had no answer is left alone, ms: longer each time. */
const PAUSE_MS = { first: 5 * MINUTE_MS, most: HOUR_MS } as const;

/** What of an update holds together and is sent together, by the name of its field. */
export interface Part {
  readonly paths: readonly FieldPath[];
  readonly newVariants: readonly VariantId[];
  readonly archived: readonly VariantId[];
  /** By what it is told from the same part with other values. */
  readonly print: string;
}

/**
 * A part that was sent, and never answered. `until`: when it is tried again, ms; 0: a person has asked for that. `tries`: how many writes with it had no
 * answer, those before it was told included. `of`: how many parts the last of them had.
 */
export interface Suspect {
  readonly print: string;
  readonly until: number;
  readonly tries: number;
  readonly of: number;
}

/** By the names of the parts; a create is one whole, `create`. */
export type Suspects = Readonly<Record<string, Suspect>>;

/** `none`: nothing is left out · `all`: nothing is due before `until`, ms · `some`: parts are sent without those that are `left`. */
export type Choice =
  | { readonly is: 'none' }
  | { readonly is: 'all'; readonly until: number }
  | { readonly is: 'some'; readonly left: readonly string[] };

type Update = Pick<Extract<ProductIntent, { type: 'update' }>, 'fields' | 'variants' | 'newVariants' | 'archived'>;

/**
 * The parts of an update: options and keys with the variants that come and go by them, prices with what goes on sale at them, and each other field by
 * itself. New variants are made with what the hub holds of them.
 */
export function partsOf(
  { fields, variants, newVariants, archived }: Update,
  hub: Pick<CanonicalProduct, 'variants'>,
): ReadonlyMap<string, Part> {
  const values = new Map<string, [path: FieldPath, value: unknown][]>();
  const add = (part: string, path: FieldPath, value: unknown) =>
    values.set(part, [...(values.get(part) ?? []), [path, value]]);
  const moves = newVariants.length + archived.length > 0;
  const goesWithMoves = (name: string) => OPTION_FIELDS.has(name) || (moves && KEY_FIELDS.has(name));
  for (const [id, own] of Object.entries(variants) as [VariantId, Partial<VariantFields>][])
    for (const [name, value] of Object.entries(own))
      add(goesWithMoves(name) ? OPTIONS : name, variantPath(id, name as VariantFieldName), value);
  // Nobody is to buy it at the price that it had.
  const goesOnSale = values.has(PRICE) && isOnSale(fields.status);
  for (const [name, value] of Object.entries(fields))
    add(OPTION_FIELDS.has(name) ? OPTIONS : name === 'status' && goesOnSale ? PRICE : name, name, value);
  if (moves && !values.has(OPTIONS)) values.set(OPTIONS, []);
  return new Map(
    [...values].map(([name, own]) => {
      const moving = name === OPTIONS ? { newVariants, archived } : { newVariants: [], archived: [] };
      const made = name === OPTIONS ? newVariants.map((id) => hub.variants[id]) : [];
      const print = fingerprint({ ...moving, made, values: Object.fromEntries(own) });
      return [name, { paths: own.map(([path]) => path), ...moving, print }];
    }),
  );
}

/** Names and values only hold together, and a variant is made, or makes room for another, by them. */
const OPTIONS = 'optionNames';
const OPTION_FIELDS: ReadonlySet<string> = new Set(['optionNames', 'optionValues']);
/** What a new variant is given another one gives up with the same write, and what is put away leaves its own to another. */
const KEY_FIELDS: ReadonlySet<string> = new Set(['sku', 'barcode']);
const PRICE = 'price';

/**
 * [W8] Which parts of an update are sent now. What is new, or has another value by now, waits for nothing: one field that is never answered holds no other.
 * Of those that had no answer together the first half goes when they are due, then the second: after a few tries only those wait that are the cause.
 */
export function chooseParts(parts: ReadonlyMap<string, Pick<Part, 'print'>>, suspects: Suspects, now: number): Choice {
  const known = [...parts].flatMap(([name, { print }]) => {
    const own = suspects[name];
    return own === undefined || own.print !== print ? [] : [{ name, ...own }];
  });
  if (known.length === 0) return { is: 'none' };
  // One that has another value by now is owed still: it goes first, without the others.
  const owed = Object.entries(suspects).flatMap(([name, own]) => (parts.has(name) ? [own] : []));
  // A clock that was set back makes no pause longer.
  const due = known.filter((own) => dueAt(own, owed) <= now || own.until > now + PAUSE_MS.most);
  if (due.length === 0 && known.length === parts.size)
    return { is: 'all', until: Math.min(...known.map(({ until }) => until)) };
  const first = Math.min(...due.map(({ until }) => until));
  const together = due.filter(({ until }) => until === first);
  const sent = new Set(first === 0 ? together : together.slice(0, Math.ceil(together.length / 2)));
  const left = known.filter((own) => !sent.has(own)).map(({ name }) => name);
  return left.length === 0 ? { is: 'none' } : { is: 'some', left };
}

/** When a part is tried again, ms: at once where one that was sent with it is not owed any more, which makes the rest another write. */
export function dueAt({ until, of }: Suspect, owed: readonly Suspect[]): number {
  return owed.filter((own) => own.until === until).length < of ? 0 : until;
}

/**
 * What a write without an answer makes of its parts, by what was known of them (`told`). `fencedUntil`: until when it may land, ms. What was new beside such
 * as had no answer before need not be the cause: it goes without them then, and makes their pause no shorter.
 */
export function suspectsOf(
  prints: readonly (readonly [name: string, print: string])[],
  told: Suspects,
  fencedUntil: number,
): Suspects {
  const triesOf = ([name, print]: readonly [string, string]) => (told[name]?.print === print ? told[name].tries : 0);
  const known = prints.filter((own) => triesOf(own) > 0);
  const least = known.length === 0 ? UNANSWERED_TOLD : Math.min(...known.map(triesOf)) + 1;
  const pauseMs = Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** Math.min(least - UNANSWERED_TOLD, 10));
  return Object.fromEntries(
    prints.map((own) => {
      const [name, print] = own;
      const isNew = triesOf(own) === 0;
      const until = isNew && known.length > 0 ? fencedUntil : fencedUntil + pauseMs;
      const tries = isNew ? UNANSWERED_TOLD : triesOf(own) + 1;
      return [name, { print, tries, until, of: isNew ? prints.length - known.length : known.length }];
    }),
  );
}
