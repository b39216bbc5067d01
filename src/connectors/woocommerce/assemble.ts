import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { idText } from '../shared/exact-json.ts';
import { unreadableProduct } from '../shared/unreadable-product.ts';
import { importProduct } from './import-mapper.ts';
import type { StoreFacts } from './store-facts.ts';
import { firstFault, type WireVariation, wire } from './wire.ts';

/** The border: raw JSON becomes a snapshot here or is refused as `malformed`, with the field that doesn't fit. */
export function assembleProduct(raw: unknown, rawVariations: readonly unknown[], facts: StoreFacts): ProductSnapshot {
  if (!wire.product.Check(raw)) throw malformed(raw, firstFault(wire.product, raw));
  const variations: WireVariation[] = [];
  for (const variation of rawVariations) {
    if (!wire.variation.Check(variation)) throw malformed(variation, firstFault(wire.variation, variation));
    variations.push(variation);
  }
  return importProduct(raw, variations, facts);
}

/**
 * For listings, where one record that can't be understood must not stop the others: it is listed with its reason. An error in place of the variations: it
 * could not be read, and `raw` is what is known of it.
 */
export function assembleOrExplain(
  id: string,
  raw: unknown,
  rawVariations: readonly unknown[] | ConnectorError,
  facts: StoreFacts,
): ProductSnapshot {
  try {
    if (rawVariations instanceof ConnectorError) throw rawVariations;
    return assembleProduct(raw, rawVariations, facts);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const loose = raw as { name?: unknown; status?: unknown };
    return unreadableProduct(
      {
        externalId: id,
        title: loose.name,
        trashed: loose.status === 'trash',
        adminUrl: `${facts.siteUrl}/wp-admin/post.php?post=${id}&action=edit`,
      },
      error,
    );
  }
}

/** Whether the product's variations are records of their own. */
export function isVariable(raw: unknown): boolean {
  return (raw as { type?: unknown } | null)?.type === 'variable';
}

function malformed(raw: unknown, fault: string): ConnectorError {
  const id = idText((raw as { id?: unknown } | null)?.id) ?? '?';
  return new ConnectorError('malformed', `record ${id} can't be understood: ${fault}`);
}
