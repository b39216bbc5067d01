import { isObject, type Json, type JsonObject } from './json.ts';
import { parseList } from './validate-args.ts';

type Tree = { [key: string]: true | Tree };

/** `_fields` as a tree. "a.b" reaches into objects; a list below it has no such key and comes back empty. */
function fieldTree(fields: readonly string[]): Tree {
  const tree: Tree = {};
  for (const field of fields) {
    const parts = field.split('.');
    const last = parts.pop() ?? '';
    let node = tree;
    for (const part of parts) {
      const next = node[part];
      // Asking for "a" and then "a.b" ends the whole list here: WordPress leaves the outer loop as well.
      if (next === true) return tree;
      const child: Tree = next ?? {};
      node[part] = child;
      node = child;
    }
    node[last] = true;
  }
  return tree;
}

function pick(value: JsonObject, tree: Tree): JsonObject {
  const kept: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const wanted = tree[key];
    if (wanted === undefined) continue;
    if (wanted === true) kept[key] = item;
    else kept[key] = Array.isArray(item) ? [] : isObject(item) ? pick(item, wanted) : item;
  }
  return kept;
}

export function requestedFields(param: Json | undefined): string[] | null {
  if (param === undefined || param === null) return null;
  const fields = parseList(param).map((field) => String(field).trim());
  return fields.length === 0 ? null : fields;
}

export function filterFields(body: Json, fields: readonly string[]): Json {
  const tree = fieldTree(fields);
  if (Array.isArray(body)) return body.map((item) => (isObject(item) ? pick(item, tree) : item));
  return isObject(body) ? pick(body, tree) : body;
}

/** Tells presenters which top-level fields are worth making. */
export function wantsOf(fields: readonly string[] | null): (field: string) => boolean {
  if (!fields) return () => true;
  const tops = new Set(fields.map((field) => field.split('.')[0]));
  return (field) => tops.has(field);
}
