import type { ProductId, RunId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

/** One field that a run wrote. */
export interface RunWrite {
  readonly field: string;
  readonly target: Side;
  /** Option values of the variant that it belongs to; empty: of a product without options, or of one that is gone. */
  readonly options: readonly string[];
  readonly from: unknown;
  readonly to: unknown;
}

export interface RunWrites {
  /** The first of them. */
  readonly shown: readonly RunWrite[];
  readonly count: number;
}

interface Row {
  readonly field: string;
  readonly target: Side;
  readonly options: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly n: number;
}

/** The plus: a record's history is shorter than what a first run writes, and has the index for it. */
const writes = rawStatement<[product: string, run: string, limit: number], Row>(
  `SELECT field, target, "from", "to", count(*) OVER () AS n,
     (SELECT json_extract(data, '$.variants."' || variant_id || '".optionValues') FROM product WHERE id = change.product_id) AS options
   FROM change WHERE product_id = ? AND +run_id = ? AND target IS NOT NULL AND cause <> 'unanswered' ORDER BY seq LIMIT ?`,
);

/** What a run wrote of one record, in the order in which it was stored. Of what was sent without an answer nobody knows, and it is not among them. */
export function listRunWrites(db: Db, runId: RunId, productId: ProductId, limit: number): RunWrites {
  const rows = writes(db).all(productId, runId, limit);
  const value = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
  return {
    shown: rows.map(({ field, target, options, from, to }) => ({
      ...{ field, target, options: (value(options) ?? []) as string[] },
      ...{ from: value(from), to: value(to) },
    })),
    count: rows[0]?.n ?? 0,
  };
}
