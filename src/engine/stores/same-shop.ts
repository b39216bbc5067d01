import { normaliseText } from '../../core/normalise.ts';
import type { Db } from '../../db/database.ts';
import { findProduct } from '../../db/readers/hub-rows.ts';
import { type LinkedRecord, sampleLinked } from '../../db/readers/products.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { skuKey } from '../../lib/record-keys.ts';
import { unended } from '../../lib/unended.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import { Refusal } from '../../model/refusal.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Finding } from '../../model/store-info.ts';
import type { Connector, ReadOutcome } from '../../ports/connector.ts';

/** How many linked records are looked at, and which share of them has to be there as it is known: shops go on living while they move. */
const SAMPLE_MAX = 10;
const SHARE_MIN = 0.8;

/** What to do about a record that is not there as it is known. */
const OTHER_SHOP =
  'Give the address of the shop that this store moved to. If it is another shop, connect it as a store of its own.';

/** Beginnings of the record's page for people, where the shop was and where it is now. */
export interface AdminMove {
  readonly from: string;
  readonly to: string;
}

/**
 * Whether what `connector` reads is the very shop that `store` is: some linked records, spread over all, have to be there under their ids with
 * the name or a SKU that they are known by. At another shop everything linked would look deleted. Refuses with DIFFERENT_SHOP, each
 * record that was looked at among the findings. With nothing linked there is nothing to tell by, and nothing to lose.
 * Returns how the pages for people moved; null when nothing is known of it.
 */
export async function proveSameShop(db: Db, store: StoreRow, connector: Connector): Promise<AdminMove | null> {
  const sample = sampleLinked(db, store.id, Math.min(SAMPLE_MAX, connector.capabilities.readBatchMax));
  if (sample.length === 0) return null;
  let outcomes: readonly ReadOutcome<ProductSnapshot>[];
  try {
    outcomes = await connector.readProducts(sample.map(({ externalId }) => externalId));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const message = `The linked products could not be read there: ${unended(error.message)}.`;
    const remedy = 'Try again; nothing was changed.';
    throw new Refusal('STORE_CHECK_FAILED', `${message} ${remedy}`, {
      findings: [{ code: 'LINKED_UNREADABLE', level: 'error', message, remedy }],
    });
  }
  const findings = sample.map((record, i) => compare(db, record, outcomes[i]));
  const others = findings.filter(({ level }) => level === 'error');
  if (sample.length - others.length < sample.length * SHARE_MIN) {
    const count = `${others.length} of ${sample.length} linked products that were looked at`;
    throw new Refusal(
      'DIFFERENT_SHOP',
      `This is another shop: ${count} are not there as they are known. ${others[0]?.message} Nothing was changed.`,
      { findings },
    );
  }
  for (const [i, { adminUrl }] of sample.entries()) {
    const outcome = outcomes[i];
    const move = outcome?.ok === true ? beginnings(adminUrl, outcome.value.adminUrl) : null;
    if (move !== null) return move;
  }
  return null;
}

function compare(db: Db, record: LinkedRecord, outcome: ReadOutcome<ProductSnapshot> | undefined): Finding {
  const known = record.base ?? findProduct(db, record.productId)?.data ?? null;
  const name = `“${known?.fields.title.slice(0, 80)}” (${record.externalId})`;
  if (outcome?.ok === true) {
    const there = outcome.value;
    if (known !== null && isSame(known, there))
      return { code: 'LINKED_THERE', level: 'ok', message: `${name} is there.`, remedy: '' };
    const message = `${name} is not there: its id belongs to “${there.fields.title.slice(0, 80)}”.`;
    return { code: 'LINKED_DIFFERS', level: 'error', message, remedy: OTHER_SHOP };
  }
  const isGone = outcome === undefined || outcome.error.kind === 'not_found';
  if (isGone) return { code: 'LINKED_MISSING', level: 'error', message: `${name} is not there.`, remedy: OTHER_SHOP };
  const message = `${name} could not be read: ${unended(outcome.error.message)}.`;
  return { code: 'LINKED_UNREADABLE', level: 'error', message, remedy: 'Try again when the shop can show it.' };
}

/** By a SKU that both have, else by the name: either may have been changed meanwhile, both at once by nobody. */
function isSame(known: CanonicalProduct, there: ProductSnapshot): boolean {
  const skus = new Set(Object.values(known.variants).map(({ sku }) => skuKey(sku)));
  if (there.variants.some(({ fields }) => fields.sku !== '' && skus.has(skuKey(fields.sku)))) return true;
  const title = normaliseText(known.fields.title);
  return title !== '' && title === normaliseText(there.fields.title);
}

/** Both addresses without the path that they have in common, whole segments of it. */
function beginnings(old: string, now: string): AdminMove | null {
  if (old === '' || now === '') return null;
  let common = 0;
  while (common < old.length && common < now.length && old.at(-1 - common) === now.at(-1 - common)) common += 1;
  const tail = /(?<!\/)\/(?!\/).*$/s.exec(old.slice(old.length - common))?.[0] ?? '';
  if (tail === '') return null;
  return { from: old.slice(0, old.length - tail.length), to: now.slice(0, now.length - tail.length) };
}
