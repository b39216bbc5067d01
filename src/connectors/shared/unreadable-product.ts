import type { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';

interface Unreadable extends Pick<ProductSnapshot, 'externalId' | 'trashed' | 'adminUrl'> {
  /** As far as it could be read; anything else than text counts as none. */
  readonly title: unknown;
}

/** For listings, where one record that is not understood must not stop the others: it is listed with its reason, and left out. */
export function unreadableProduct({ title, ...known }: Unreadable, error: ConnectorError): ProductSnapshot {
  return {
    ...known,
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
    unsyncable: { reason: 'malformed', detail: error.message },
    modifiedAt: null,
    imageUrl: '',
    passthrough: null,
  };
}
