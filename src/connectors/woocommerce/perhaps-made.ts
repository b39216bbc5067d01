import { ConnectorError } from '../../model/connector-error.ts';
import type { BatchItem, BatchOptions } from './batch.ts';
import type { WooClient } from './client.ts';
import { isSameMark, readMarks } from './marks.ts';
import { asRecords } from './record-list.ts';
import type { WireMeta } from './wire.ts';

/** What others may have made in the same moment. */
const OTHERS_MAX = 20;

/**
 * The products of a batch that a firewall has turned away which are there all the same, or may be, as far as can be told: a rule that looks at answers
 * comes too late. Sent again they would be made twice; their marks tell later what became of them.
 */
export async function perhapsMade(
  client: WooClient,
  path: string,
  items: readonly BatchItem[],
  { signal, priority }: BatchOptions,
): Promise<ReadonlySet<BatchItem>> {
  const creates = path === '/products/batch' ? items.filter(({ verb }) => verb === 'create') : [];
  if (creates.length === 0) return new Set();
  const query = {
    ...{ status: 'any', orderby: 'id', order: 'desc', _fields: 'id,meta_data' },
    per_page: Math.min(100, creates.length + OTHERS_MAX),
  };
  try {
    const { data } = await client.get('/products', { query, signal, ...(priority ? { priority } : {}) });
    const there = asRecords(data).flatMap(({ raw }) => marksOf(raw));
    return new Set(
      creates.filter(({ body }) => marksOf(body).some((own) => there.some((one) => isSameMark(one, own)))),
    );
  } catch (error) {
    if (error instanceof ConnectorError) return new Set(creates);
    throw error;
  }
}

function marksOf(record: unknown) {
  const meta = (record as { meta_data?: unknown } | null)?.meta_data;
  return Array.isArray(meta) ? readMarks(meta as WireMeta[]) : [];
}
