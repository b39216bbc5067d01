import type { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { gidNumber } from './gid.ts';
import type { StoreContext } from './store-context.ts';

/**
 * For listings, where one record that can't be read must not stop the others: it is listed with its reason. `row`: what came of it, as far as anything
 * did.
 */
export function explainProduct(
  id: string,
  row: unknown,
  error: ConnectorError,
  context: StoreContext,
): ProductSnapshot {
  const title = (row as { title?: unknown } | null | undefined)?.title;
  return {
    externalId: id,
    fields: {
      title: typeof title === 'string' ? title : '',
      descriptionHtml: '',
      status: 'draft',
      tags: [],
      optionNames: [],
      handle: '',
    },
    variants: [],
    marks: [],
    trashed: false,
    unsyncable: { reason: 'malformed', detail: error.message },
    modifiedAt: null,
    adminUrl: `${context.adminProducts}/${gidNumber(id)}`,
    imageUrl: '',
    passthrough: null,
  };
}
