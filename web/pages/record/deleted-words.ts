import type { Change, RecordReply } from '../../api/records.ts';
import { otherSide, SIDE_NAME } from '../../components/side.ts';

type Known = Pick<RecordReply['record'], 'state' | 'woocommerce' | 'shopify'>;

/** Of a product that is deleted: where, what became of it on the other side, and that its values there, where any are known, are no more than a memory. '' for any other. */
export function deletedWords(record: Known, changes: readonly Change[]): string {
  if (record.state !== 'deleted') return '';
  const last = changes.find(({ field, variantId }) => field === 'deleted' && variantId === null);
  const isShown = record.woocommerce !== null || record.shopify !== null;
  if (last?.cause === 'joined')
    return `Both stores turned out to have this product. It is one product now, under the record of both${isShown ? '; what is shown here is what was known of it before' : ''}.`;
  const told = changes.find(
    ({ field, variantId, origin, cause }) =>
      field === 'deleted' && variantId === null && origin !== null && (cause === 'delete' || cause === 'own_delete'),
  );
  // Kept for less long than the record, or on an older page of its history.
  if (!told?.origin) return `This product was deleted.${isShown ? ' What is shown is what the stores held last.' : ''}`;
  const other = otherSide(told.origin);
  const [there, here] = [SIDE_NAME[told.origin], SIDE_NAME[other]];
  const isGoneHere = changes
    .slice(0, changes.indexOf(told))
    .some(({ cause, origin }) => cause === 'gone_too' && origin === other);
  const archived = told.to === 'archived' && record[other] !== null ? ` In ${here} it is archived, not deleted.` : '';
  const kept = isGoneHere ? ` In ${here} it is deleted as well.` : archived;
  // Deleted for good it leaves nothing to show; in the bin it does.
  const memory = record[told.origin] === null ? '' : ` What is shown of ${there} is what it held last.`;
  return `This product was deleted in ${there}.${kept}${memory}`;
}
