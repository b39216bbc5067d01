import { ConnectorError } from '../../model/connector-error.ts';
import type { Mark } from '../../model/snapshot.ts';
import type { ShopifyClient } from './client.ts';
import { MARK_NAMESPACE, MARK_TYPE, markKey, markMetafield } from './marks.ts';
import { OPERATIONS } from './operations.gen.ts';
import { firstUserError, rowIndex, userErrorToConnectorError } from './user-errors.ts';
import { MarkDefineAnswer, MarksSetAnswer } from './wire.ts';

export interface MarkWriter {
  /** Makes sure that the shop knows the marks of this pair, once; `again` forgets that it did. Throws when it could not. */
  ensureDefined(
    pairId: string,
    options?: { readonly again?: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
  /** Sets marks on records that others made, 25 in a call. One error or null for each. */
  setAll(
    marks: readonly { readonly ownerId: string; readonly mark: Mark }[],
    signal?: AbortSignal,
  ): Promise<(ConnectorError | null)[]>;
}

/** `metafieldsSet` takes 25, all or nothing. */
const SET_MAX = 25;

export function createMarkWriter(client: ShopifyClient): MarkWriter {
  const defined = new Map<string, Promise<void>>();

  async function define(pairId: string, signal: AbortSignal | undefined): Promise<void> {
    const definition = {
      name: `Twinshelf link ${markKey(pairId).slice(-6)}`,
      description: 'The Twinshelf record that this product is linked with. Changing it breaks the link.',
      namespace: MARK_NAMESPACE,
      key: markKey(pairId),
      ownerType: 'PRODUCT',
      type: MARK_TYPE,
    };
    // Defining twice is answered by TAKEN, so this mutation may be repeated like a read.
    const answer = await client.call(OPERATIONS.markDefine, { definition }, MarkDefineAnswer, {
      signal,
      intent: 'read',
    });
    const errors = answer.metafieldDefinitionCreate.userErrors;
    if (errors.some((error) => error.code === 'TAKEN')) return;
    const error = firstUserError(errors);
    if (error !== null) throw error;
  }

  return {
    async ensureDefined(pairId, { again = false, signal } = {}) {
      if (again) defined.delete(pairId);
      let work = defined.get(pairId);
      if (work === undefined) {
        work = define(pairId, signal);
        defined.set(pairId, work);
        work.catch(() => defined.delete(pairId));
      }
      await work;
    },
    async setAll(marks, signal) {
      const results: (ConnectorError | null)[] = marks.map(() => null);
      let open = marks.map((entry, index) => ({ ...entry, index }));
      while (open.length > 0) {
        const batch = open.slice(0, SET_MAX);
        const rest = open.slice(SET_MAX);
        const metafields = batch.map(({ ownerId, mark }) => ({ ownerId, ...markMetafield(mark) }));
        try {
          const answer = await client.call(OPERATIONS.marksSet, { metafields }, MarksSetAnswer, { signal });
          const errors = answer.metafieldsSet.userErrors;
          const refusedRows = new Set<number>();
          for (const error of errors) {
            const row = rowIndex(error.field, 'metafields') ?? (batch.length === 1 ? 0 : null);
            const entry = row === null ? undefined : batch[row];
            if (row === null || entry === undefined) throw userErrorToConnectorError(error);
            refusedRows.add(row);
            results[entry.index] = userErrorToConnectorError(error);
          }
          // All or nothing: the others of a refused call go again.
          open = errors.length === 0 ? rest : [...batch.filter((_, row) => !refusedRows.has(row)), ...rest];
        } catch (error) {
          if (!(error instanceof ConnectorError)) throw error;
          for (const { index } of batch) results[index] = error;
          open = rest;
        }
      }
      return results;
    },
  };
}
