import { isObject, type Json, type JsonObject } from './json.ts';

/** A query as PHP reads it: `a[]=1&a[]=2` is a list, `a[b]=1` an object, the last of equal names wins. */
export function parseQuery(text: string): JsonObject {
  const found: JsonObject = Object.create(null) as JsonObject;
  for (const [name, value] of new URLSearchParams(text)) {
    const match = /^([^[\]]+)((?:\[[^\]]*\])*)$/.exec(name);
    const base = match?.[1];
    if (base === undefined || base === '__proto__') continue;
    const keys = [...(match?.[2] ?? '').matchAll(/\[([^\]]*)\]/g)].map((part) => part[1] ?? '');
    found[base] = place(found[base], keys, value);
  }
  return found;
}

function place(current: Json | undefined, keys: readonly string[], value: string): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (key === '' || (/^\d+$/.test(key) && !isObject(current))) {
    const list = Array.isArray(current) ? [...current] : [];
    const index = key === '' ? list.length : Math.min(Number(key), list.length);
    list[index] = place(list[index], rest, value);
    return list;
  }
  const map: JsonObject = isObject(current) ? { ...current } : {};
  if (key !== '__proto__') map[key] = place(map[key], rest, value);
  return map;
}

/** The query back as text, one parameter replaced: WordPress's add_query_arg, credentials in the query included. */
export function withQueryArg(url: string, query: JsonObject, name: string, value: string): string {
  const search = new URLSearchParams();
  for (const [key, item] of Object.entries({ ...query, [name]: value })) append(search, key, item);
  return `${url}${url.includes('?') ? '&' : '?'}${search.toString()}`;
}

function append(search: URLSearchParams, key: string, value: Json): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) append(search, `${key}[${index}]`, item);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) append(search, `${key}[${name}]`, item);
  else search.append(key, String(value));
}
