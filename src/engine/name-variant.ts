import type { VariantId } from '../model/ids.ts';
import type { HubState } from './hub.ts';
import { labelText } from './stock/absorb-stock.ts';

/** A product may have hundreds of variants: which one it was is said. */
export function nameVariant(hub: HubState, id: VariantId): string {
  const { optionValues = [], sku = hub.variants.get(id)?.sku ?? '' } = hub.row.data.variants[id] ?? {};
  const ofProduct = `of "${hub.row.title}"`;
  if (optionValues.length === 0) return `${sku === '' ? 'A variant' : `The variant ${sku}`} ${ofProduct}`;
  return `${labelText({ title: optionValues.join(' / '), sku })} ${ofProduct}`;
}
