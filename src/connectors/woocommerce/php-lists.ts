/** What of a record is a list. */
const LISTS = ['meta_data', 'variations', 'tags', 'attributes', 'images'] as const;

/**
 * An answer (a record, a list of them, or a batch) whose lists are lists. One of PHP's that a plugin has taken something out of is an object to JSON, with
 * places for names: `{"0": …, "2": …}`.
 */
export function withLists(data: unknown): unknown {
  if (Array.isArray(data)) data.forEach(mend);
  else if (isObject(data)) {
    mend(data);
    for (const verb of ['create', 'update']) if (Array.isArray(data[verb])) data[verb].forEach(mend);
  }
  return data;
}

function mend(record: unknown): void {
  if (!isObject(record)) return;
  for (const name of LISTS) {
    const value = record[name];
    if (isObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key))) record[name] = Object.values(value);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
