import { createHash } from 'node:crypto';
import { ApiError } from '../graphql/api-error.ts';
import { gidOf, parseGid } from './ids.ts';
import type { MetafieldDefinitionRecord, MetafieldRecord } from './records.ts';
import type { Store } from './store.ts';

const OWNER_TYPES: Readonly<Record<string, string>> = {
  Product: 'PRODUCT',
  ProductVariant: 'PRODUCTVARIANT',
  Collection: 'COLLECTION',
  Shop: 'SHOP',
  Location: 'LOCATION',
  AppInstallation: 'API_PERMISSION',
};

function ownerTypeOf(ownerGid: string): string | null {
  return OWNER_TYPES[parseGid(ownerGid)?.kind ?? ''] ?? null;
}

/** An omitted namespace, and `$app`, mean the app's own reserved one. */
export function resolveNamespace(store: Store, namespace: string | null | undefined): string {
  const own = `app--${store.appId}`;
  if (namespace === null || namespace === undefined || namespace === '$app') return own;
  return namespace.startsWith('$app:') ? `${own}--${namespace.slice('$app:'.length)}` : namespace;
}

export function findMetafield(store: Store, ownerGid: string, namespace: string, key: string): MetafieldRecord | null {
  return (
    store.metafields.get(ownerGid)?.find((metafield) => metafield.namespace === namespace && metafield.key === key) ??
    null
  );
}

export function findDefinition(
  store: Store,
  ownerType: string,
  namespace: string,
  key: string,
): MetafieldDefinitionRecord | null {
  for (const definition of store.definitions.values()) {
    if (definition.ownerType === ownerType && definition.namespace === namespace && definition.key === key)
      return definition;
  }
  return null;
}

function uniqueKey(ownerType: string, namespace: string, key: string, value: string): string {
  return [ownerType, namespace, key, value].join('\u0000');
}

export interface MetafieldWrite {
  readonly ownerGid: string;
  readonly namespace: string;
  readonly key: string;
  readonly type: string | null;
  readonly value: string;
}

/** Null when the write is fine; otherwise why not, in the words of the API. */
export function metafieldProblem(
  store: Store,
  write: MetafieldWrite,
): { at: 'namespace' | 'key' | 'type' | 'value' | null; message: string; code: string } | null {
  const { namespace, key, value } = write;
  if (namespace.length < 3)
    return { at: 'namespace', message: 'Namespace is too short (minimum is 3 characters)', code: 'TOO_SHORT' };
  if (namespace.length > 255)
    return { at: 'namespace', message: 'Namespace is too long (maximum is 255 characters)', code: 'TOO_LONG' };
  if (key.length < 2) return { at: 'key', message: 'Key is too short (minimum is 2 characters)', code: 'TOO_SHORT' };
  if (key.length > 64) return { at: 'key', message: 'Key is too long (maximum is 64 characters)', code: 'TOO_LONG' };
  const ownerType = ownerTypeOf(write.ownerGid) ?? '';
  const definition = findDefinition(store, ownerType, namespace, key);
  const known = findMetafield(store, write.ownerGid, namespace, key);
  const type = write.type ?? definition?.valueType ?? known?.valueType ?? null;
  if (type === null) return { at: 'type', message: "Type can't be blank", code: 'BLANK' };
  if (definition && type !== definition.valueType) {
    return {
      at: 'type',
      message: `Type '${type}' must be consistent with the definition's type: '${definition.valueType}'.`,
      code: 'INVALID_TYPE',
    };
  }
  if (value === '') return { at: 'value', message: "Value can't be blank.", code: 'BLANK' };
  if (definition?.hasUniqueValues) {
    const holder = store.uniqueMetafields.get(uniqueKey(ownerType, namespace, key, value));
    if (holder !== undefined && holder !== write.ownerGid) {
      return {
        at: 'value',
        message: `Value must be unique amongst all ${ownerType === 'PRODUCT' ? 'Product' : 'ProductVariant'} metafields.`,
        code: 'CAPABILITY_VIOLATION',
      };
    }
  }
  return null;
}

/** Call after `metafieldProblem` found nothing. Answers null when the value was already there. */
export function writeMetafield(
  store: Store,
  write: MetafieldWrite,
  now: number,
): { metafield: MetafieldRecord; changed: boolean } {
  const ownerType = ownerTypeOf(write.ownerGid) ?? '';
  const definition = findDefinition(store, ownerType, write.namespace, write.key);
  const known = findMetafield(store, write.ownerGid, write.namespace, write.key);
  const valueType = write.type ?? definition?.valueType ?? known?.valueType ?? 'single_line_text_field';
  if (known && known.value === write.value && known.valueType === valueType)
    return { metafield: known, changed: false };
  if (known) dropUnique(store, known);
  const metafield: MetafieldRecord = known ?? {
    type: 'Metafield',
    id: store.newId('Metafield'),
    ownerGid: write.ownerGid,
    ownerType,
    namespace: write.namespace,
    key: write.key,
    valueType,
    value: write.value,
    createdAt: now,
    updatedAt: now,
  };
  metafield.value = write.value;
  metafield.valueType = valueType;
  metafield.updatedAt = now;
  if (!known) store.metafields.set(write.ownerGid, [...(store.metafields.get(write.ownerGid) ?? []), metafield]);
  if (definition?.hasUniqueValues)
    store.uniqueMetafields.set(uniqueKey(ownerType, write.namespace, write.key, write.value), write.ownerGid);
  return { metafield, changed: true };
}

function dropUnique(store: Store, metafield: MetafieldRecord): void {
  store.uniqueMetafields.delete(uniqueKey(metafield.ownerType, metafield.namespace, metafield.key, metafield.value));
}

export function deleteMetafield(store: Store, metafield: MetafieldRecord): void {
  dropUnique(store, metafield);
  store.metafields.set(
    metafield.ownerGid,
    (store.metafields.get(metafield.ownerGid) ?? []).filter((other) => other !== metafield),
  );
}

export function deleteMetafieldsOf(store: Store, ownerGid: string): void {
  for (const metafield of store.metafields.get(ownerGid) ?? []) dropUnique(store, metafield);
  store.metafields.delete(ownerGid);
}

export interface CustomId {
  readonly namespace?: string | null;
  readonly key: string;
  readonly value: string;
}

/** The owner of a custom id, or null. Needs a definition of type `id` (facts, section 7). */
export function findByCustomId(store: Store, kind: 'Product' | 'ProductVariant', customId: CustomId): number | null {
  const ownerType = OWNER_TYPES[kind] ?? '';
  const namespace = resolveNamespace(store, customId.namespace);
  const definition = findDefinition(store, ownerType, namespace, customId.key);
  if (definition?.valueType !== 'id') {
    throw new ApiError("Metafield definition of type 'id' is required when using custom ids.", { code: 'NOT_FOUND' });
  }
  const ownerGid = store.uniqueMetafields.get(uniqueKey(ownerType, namespace, customId.key, customId.value));
  return ownerGid === undefined ? null : (parseGid(ownerGid)?.id ?? null);
}

export function compareDigestOf(metafield: MetafieldRecord): string {
  return createHash('sha256').update(`${metafield.valueType}\u0000${metafield.value}`).digest('hex');
}

export function metafieldGid(metafield: MetafieldRecord): string {
  return gidOf('Metafield', metafield.id);
}
