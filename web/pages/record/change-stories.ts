import type { Change } from '../../api/records.ts';
import { fieldName } from '../../components/field-value.ts';
import { otherSide } from '../../components/side.ts';

/** A line of a record's history: a change, and the write that carried it across, if one did. */
export interface ChangeStory {
  readonly seq: number;
  /** What happened first: it says why. */
  readonly change: Change;
  /** The write of it to the other side; null: there is none, or `change` is itself a write. */
  readonly carried: Change | null;
}

/** A write this much later than a change of the same field was not caused by it. */
const CAUSED_WITHIN_MS = 120_000;

function isCarriedBy(change: Change, write: Change): boolean {
  if (change.target !== null || change.origin === null || write.target !== otherSide(change.origin)) return false;
  if (write.cause !== 'written' || change.field !== write.field || change.variantId !== write.variantId) return false;
  const laterMs = Date.parse(write.at) - Date.parse(change.at);
  return laterMs >= 0 && laterMs < CAUSED_WITHIN_MS && JSON.stringify(change.to) === JSON.stringify(write.to);
}

/** After a person's decision a write carries that, and no change from before it. */
function isDecisionAbout({ cause, field, variantId }: Change, write: Change): boolean {
  return cause === 'person' && field === write.field && variantId === write.variantId;
}

/** Changes, newest first, as lines, newest first: what was carried across is told once, not as two lines that read the same. */
export function toChangeStories(changes: readonly Change[]): ChangeStory[] {
  const carriedBy = new Map<number, Change>();
  const told = new Set<number>();
  for (const [index, write] of changes.entries()) {
    const older = changes.slice(index + 1);
    const decided = older.findIndex((change) => isDecisionAbout(change, write));
    const cause = older
      .slice(0, decided < 0 ? older.length : decided)
      .find((change) => !carriedBy.has(change.seq) && isCarriedBy(change, write));
    if (cause === undefined) continue;
    carriedBy.set(cause.seq, write);
    told.add(write.seq);
  }
  return changes
    .filter(({ seq }) => !told.has(seq))
    .map((change) => ({ seq: change.seq, change, carried: carriedBy.get(change.seq) ?? null }));
}

/** What variants are called that the record does not have any more, by what its history says of them. */
export function formerLabels(changes: readonly Change[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { variantId, field, to, from } of changes) {
    if (variantId === null || labels.has(variantId)) continue;
    const options = field === 'created' || field === 'optionValues' ? (to ?? from) : null;
    if (Array.isArray(options) && options.length > 0) labels.set(variantId, options.join(' / '));
    else if (field === 'sku' && typeof to === 'string' && to !== '') labels.set(variantId, to);
  }
  return labels;
}

/** What a change is about: the field, or that something came or went. */
export function changeTitle({ field, to, cause, variantId }: Change): string {
  const what = variantId === null ? 'Product' : 'Variant';
  if (field === 'created') return `${what} created`;
  if (cause === 'joined') return "Joined with the other store's product";
  // Of a product the status is told that it had and has: its going, or coming back, is what happened.
  if (field === 'deleted')
    return to === true || cause === 'delete' || cause === 'own_delete' ? `${what} deleted` : `${what} brought back`;
  return fieldName(field);
}

/** Whether old and new value say more than the title does. */
export function hasValues({ field }: Change): boolean {
  return field !== 'created' && field !== 'deleted';
}
