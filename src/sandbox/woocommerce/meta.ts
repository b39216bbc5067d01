import { toInt, toText } from './decimal.ts';
import { asList, isObject, type Json, type JsonObject } from './json.ts';
import type { MetaEntry } from './records.ts';
import type { Site } from './site.ts';

/** WordPress keeps meta as text: scalars come back as strings, arrays and objects keep their shape. */
function storedMetaValue(value: Json): Json {
  return typeof value === 'object' ? value : toText(value);
}

/**
 * An id changes that entry, a key alone replaces the first entry of that key (further ones go), null drops it.
 * `skip` names keys that are fields of their own and never meta.
 */
export function mergeMeta(site: Site, current: readonly MetaEntry[], sent: Json | undefined, skip = ''): MetaEntry[] {
  let entries = [...current];
  for (const item of asList(sent)) {
    if (!isObject(item)) continue;
    const key = toText(item['key']);
    const id = toInt(item['id']);
    if (key === '' || key === skip) continue;
    const value = item['value'] ?? null;
    const known = id > 0 ? entries.find((entry) => entry.id === id) : entries.find((entry) => entry.key === key);
    if (id <= 0) entries = entries.filter((entry) => entry.key !== key || entry === known);
    if (value === null) {
      entries = entries.filter((entry) => entry !== known);
    } else if (known) {
      entries = entries.map((entry) =>
        entry === known ? { id: known.id, key, value: storedMetaValue(value) } : entry,
      );
    } else {
      entries.push({ id: site.products.nextMetaId(), key, value: storedMetaValue(value) });
    }
  }
  return entries;
}

export function writeMeta(site: Site, target: { meta: readonly MetaEntry[] }, sent: Json | undefined): void {
  if (Array.isArray(sent)) target.meta = mergeMeta(site, target.meta, sent);
}

export function metaView(entries: readonly MetaEntry[]): JsonObject[] {
  return entries.map(({ id, key, value }) => ({ id, key, value }));
}
