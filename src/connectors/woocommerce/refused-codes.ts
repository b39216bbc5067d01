import { ConnectorError } from '../../model/connector-error.ts';
import type { BatchItem, BatchResult } from './batch.ts';
import type { WooClient } from './client.ts';
import { asRecords } from './record-list.ts';
import { decodeText } from './text.ts';
import type { Progress } from './write-progress.ts';

/**
 * SKUs and barcodes that this store refused for a new variation. WooCommerce tells of one that is taken only after the product around it was made:
 * without a memory each further try would make a draft and delete it again, and everything that listens to the shop would hear of both.
 */
export interface RefusedCodes {
  /** Takes note of what was refused because another record bears it. */
  learn(items: readonly BatchItem[], results: readonly BatchResult[]): void;
  /** The refusal that one of these would meet again, since its code is still taken; null when none is known, or none stands any more. */
  find(items: readonly BatchItem[], signal?: AbortSignal): Promise<ConnectorError | null>;
}

const CODES_KEPT_MAX = 1_000;
/** WooCommerce's parameter of a canonical field that no two records of a shop may share. */
export const PARAM_OF_FIELD = { sku: 'sku', barcode: 'global_unique_id' } as const;
export const PARAMS = Object.values(PARAM_OF_FIELD);
type Param = (typeof PARAMS)[number];

export function createRefusedCodes(client: WooClient): RefusedCodes {
  const refusals = new Map<string, ConnectorError>();

  async function isTaken(param: Param, code: string, signal: AbortSignal | undefined): Promise<boolean> {
    // What is in the bin keeps no code from a variation.
    const query = { status: 'any', per_page: 100, _fields: `id,${param}` };
    const answers = await client.find([{ param, values: [code], query }], signal);
    return answers.flatMap(({ data }) => asRecords(data)).some(({ raw }) => codeOf(raw, param) === fold(code));
  }

  return {
    learn(items, results) {
      items.forEach((item, index) => {
        const result = results[index];
        if (!result || result.ok || result.error.kind !== 'rejected') return;
        const param = PARAM_OF_FIELD[result.error.details.field as keyof typeof PARAM_OF_FIELD];
        const code = param === undefined ? '' : codeOf(item.body, param);
        if (item.verb === 'create' && code !== '') refusals.set(`${param} ${code}`, result.error);
        const [oldest] = refusals.keys();
        if (refusals.size > CODES_KEPT_MAX && oldest !== undefined) refusals.delete(oldest);
      });
    },
    async find(items, signal) {
      for (const { body } of items) {
        for (const param of PARAMS) {
          const key = `${param} ${codeOf(body, param)}`;
          const refusal = refusals.get(key);
          if (!refusal) continue;
          if (await isTaken(param, String(body[param]), signal)) return refusal;
          refusals.delete(key);
        }
      }
      return null;
    },
  };
}

/** A create whose variations the store would refuse as before is refused before its draft is made. */
export async function refuseAgain(codes: RefusedCodes, one: Progress, signal?: AbortSignal): Promise<void> {
  if (one.write.type !== 'create') return;
  try {
    one.error = await codes.find(one.plan?.variations ?? [], signal);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    one.error = error;
  }
}

/** The database's own comparison ignores letter case, and decides whether a code is taken. */
export function codeOf(record: unknown, param: Param): string {
  const code = (record as Readonly<Record<string, unknown>> | null)?.[param];
  return typeof code === 'string' || typeof code === 'number' ? fold(String(code)) : '';
}

function fold(code: string): string {
  return decodeText(code).trim().toLowerCase();
}
