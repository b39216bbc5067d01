import type { Change, RecordReply } from '../../api/records.ts';
import { otherSide, SIDE_NAME } from '../../components/side.ts';

/** Of a product that is deleted: where, what became of it on the other side, and that its values there are no more than a memory. '' for any other. */
export function deletedWords({ state }: Pick<RecordReply['record'], 'state'>, changes: readonly Change[]): string {
  if (state !== 'deleted') return '';
  const last = changes.find(({ field, variantId }) => field === 'deleted' && variantId === null);
  if (last?.cause === 'joined')
    return 'Both stores turned out to have this product. It is one product now, under the record of both; what is shown here is what was known of it before.';
  const told = changes.find(
    ({ field, variantId, origin, cause }) =>
      field === 'deleted' && variantId === null && origin !== null && (cause === 'delete' || cause === 'own_delete'),
  );
  // Kept for less long than the record, or on an older page of its history.
  if (!told?.origin) return 'This product was deleted. What is shown is what the stores held last.';
  const [there, here] = [SIDE_NAME[told.origin], SIDE_NAME[otherSide(told.origin)]];
  const isGoneHere = changes
    .slice(0, changes.indexOf(told))
    .some(({ cause, origin }) => cause === 'gone_too' && origin !== told.origin);
  const archived = told.to === 'archived' ? `In ${here} it is archived, not deleted. ` : '';
  const kept = isGoneHere ? `In ${here} it is deleted as well. ` : archived;
  return `This product was deleted in ${there}. ${kept}What is shown of ${there} is what it held last.`;
}
