import type { RunItem } from '../../api/runs.ts';
import { fieldName } from '../../components/field-value.ts';
import { SIDE_NAME } from '../../components/side.ts';

export type Write = RunItem['writes'][number];

/** Which field it is, and of which variant; of what was made, that. */
export function writeTitle({ field, variantLabel, side }: Pick<Write, 'field' | 'variantLabel' | 'side'>): string {
  const variant = variantLabel === null ? '' : `, ${variantLabel}`;
  if (field === 'created') return `${variant === '' ? 'Created' : 'Variant created'} in ${SIDE_NAME[side]}${variant}`;
  return `${fieldName(field)}${variant}`;
}
