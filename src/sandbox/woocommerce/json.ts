export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };
/** Request parameters after WordPress merged body, query and URL; a missing key and `null` are both "not set" to PHP's isset(). */
export type Params = { [key: string]: Json | undefined };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** PHP's isset(): present and not null. */
export function isSet(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null;
}

export function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

const ESCAPED = /[/\u0080-\uffff]/g;

/** JSON as PHP's wp_json_encode writes it: slashes and everything beyond ASCII escaped. Signatures are over these bytes. */
export function phpJson(value: Json): string {
  return JSON.stringify(value).replace(ESCAPED, (char) =>
    char === '/' ? '\\/' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
