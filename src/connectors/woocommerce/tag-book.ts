import { ConnectorError } from '../../model/connector-error.ts';
import { idText } from '../shared/exact-json.ts';
import { sendBatch } from './batch.ts';
import type { WooClient } from './client.ts';
import { tagKey } from './represent.ts';
import { decodeText, escapeSlashes } from './text.ts';
import { wire } from './wire.ts';
import type { Until } from './write-progress.ts';

const TAGS_KEPT_MAX = 5_000;

/** Which id a tag has in this store. Products name their tags by id; one that doesn't exist is dropped in silence. */
export interface TagBook {
  /**
   * Ids by `tagKey`. A tag that isn't there yet is made; one that can't be maps to the reason. Once it was asked for, its answer is waited for until
   * `cut`: a store that answers slowly would be asked again by each try of the product.
   */
  resolve(names: readonly string[], until: Until): Promise<ReadonlyMap<string, string | ConnectorError>>;
  /** Takes note of the tags of a product that was read. */
  learn(tags: unknown): void;
  /** A tag was deleted in the store meanwhile. */
  forget(names: readonly string[]): void;
}

export function createTagBook(client: WooClient): TagBook {
  const ids = new Map<string, string>();

  function keep(key: string, id: string): void {
    ids.delete(key);
    ids.set(key, id);
    const [oldest] = ids.keys();
    if (ids.size > TAGS_KEPT_MAX && oldest !== undefined) ids.delete(oldest);
  }

  return {
    learn(tags) {
      if (!Array.isArray(tags)) return;
      for (const tag of tags) {
        const id = wire.tag.Check(tag) ? idText(tag.id) : null;
        if (id !== null) keep(tagKey(decodeText((tag as { name: string }).name)), id);
      }
    },
    forget(names) {
      for (const name of names) ids.delete(tagKey(name));
    },
    async resolve(names, until) {
      const found = new Map<string, string | ConnectorError>();
      const missing = new Map<string, string>();
      for (const name of names) {
        const key = tagKey(name);
        const id = ids.get(key);
        if (id === undefined) missing.set(key, name);
        else found.set(key, id);
      }
      const wanted = [...missing.entries()];
      // Making it is also the quickest way to find it: one that exists is refused with its id.
      const items = wanted.map(([, name]) => ({ verb: 'create' as const, body: { name: escapeSlashes(name) } }));
      const results = await sendBatch(client, '/products/tags/batch', items, until);
      wanted.forEach(([key, name], index) => {
        const result = results[index];
        const id = result?.ok ? idText((result.data as { id?: unknown }).id) : idOfExisting(result?.error);
        if (id !== null) keep(key, id);
        found.set(key, id ?? refused(name, result?.ok === false ? result.error : undefined));
      });
      return found;
    },
  };
}

function idOfExisting(error: ConnectorError | undefined): string | null {
  return error?.details.platformCode === 'term_exists' ? (error.details.conflictingId ?? null) : null;
}

/**
 * The product itself has not been touched yet, so a tag whose fate is unknown leaves nothing unknown about the
 * product.
 */
function refused(name: string, error: ConnectorError | undefined): ConnectorError {
  const kind = error === undefined || error.kind === 'unknown_outcome' ? 'unavailable' : error.kind;
  const words = `the tag "${name}" could not be made: ${error?.message ?? 'no answer'}`;
  return new ConnectorError(kind, words, { ...error?.details, field: 'tags' });
}
