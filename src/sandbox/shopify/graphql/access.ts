import { loadSchema } from '../schema/load-schema.ts';
import { ApiError } from './api-error.ts';

/** Scopes that open `Type` or `Type.field`, any one of them; null when nothing is asked. Read once from Shopify's own texts. */
const scopesByKey = new Map<string, readonly string[] | null>();

function scopesFor(key: string): readonly string[] | null {
  const known = scopesByKey.get(key);
  if (known !== undefined) return known;
  const text = loadSchema().access[key]?.split('Also:')[0];
  const scopes = text ? [...text.matchAll(/`((?:read|write)_\w+)`/g)].map((match) => match[1] ?? '') : null;
  scopesByKey.set(key, scopes);
  return scopes;
}

/** Throws ACCESS_DENIED for a field whose own scopes, or whose result type's scopes, were not granted. The rest of the answer stays. */
export function checkAccess(
  granted: ReadonlySet<string>,
  typeName: string,
  fieldName: string,
  resultTypeName: string,
): void {
  requireScopes(granted, `${typeName}.${fieldName}`, fieldName);
  requireScopes(granted, resultTypeName, fieldName);
}

function requireScopes(granted: ReadonlySet<string>, key: string, fieldName: string): void {
  const scopes = scopesFor(key);
  if (!scopes || scopes.some((scope) => granted.has(scope))) return;
  throw accessDenied(fieldName, (loadSchema().access[key] ?? '').trim());
}

export function accessDenied(fieldName: string, requiredAccess: string): ApiError {
  return new ApiError(`Access denied for ${fieldName} field. Required access: ${requiredAccess}`, {
    code: 'ACCESS_DENIED',
    documentation: 'https://shopify.dev/api/usage/access-scopes',
    requiredAccess,
  });
}
