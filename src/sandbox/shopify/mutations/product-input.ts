import { type UserError, userError } from '../graphql/api-error.ts';
import { freeHandle, handleFrom } from '../store/handles.ts';
import { idOfKind, parseGid } from '../store/ids.ts';
import { metafieldProblem, resolveNamespace, writeMetafield } from '../store/metafields.ts';
import { setHandle } from '../store/product-writes.ts';
import type { CollectionRecord, MediaRecord, ProductRecord, ProductStatus } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** What productCreate, productUpdate and productSet share. */

const TEXT_MAX = 255;
const ALT_MAX = 512;

export interface MetafieldInput {
  readonly id?: string | null;
  readonly namespace?: string | null;
  readonly key?: string | null;
  readonly type?: string | null;
  readonly value?: string | null;
}

export interface MediaInput {
  readonly alt?: string | null;
  readonly originalSource?: string | null;
}

export interface ProductFieldsInput {
  readonly title?: string | null;
  readonly handle?: string | null;
  readonly descriptionHtml?: string | null;
  readonly vendor?: string | null;
  readonly productType?: string | null;
  readonly tags?: readonly string[] | null;
  readonly status?: ProductStatus | null;
  readonly templateSuffix?: string | null;
  readonly giftCard?: boolean | null;
  readonly requiresSellingPlan?: boolean | null;
  readonly combinedListingRole?: 'PARENT' | 'CHILD' | null;
  readonly category?: string | null;
  readonly seo?: { readonly title?: string | null; readonly description?: string | null } | null;
  readonly metafields?: readonly MetafieldInput[] | null;
}

export interface FieldProblem {
  readonly attribute: string;
  readonly label: string;
  /** Without the label: "can't be blank". */
  readonly text: string;
}

export function productFieldProblems(input: ProductFieldsInput, isNew: boolean): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const tooLong = `is too long (maximum is ${TEXT_MAX} characters)`;
  const titleGiven = input.title !== undefined && input.title !== null;
  if ((isNew && !titleGiven) || (titleGiven && input.title?.trim() === ''))
    problems.push({ attribute: 'title', label: 'Title', text: "can't be blank" });
  if ((input.title?.length ?? 0) > TEXT_MAX) problems.push({ attribute: 'title', label: 'Title', text: tooLong });
  if ((input.handle?.length ?? 0) > TEXT_MAX) problems.push({ attribute: 'handle', label: 'Handle', text: tooLong });
  if ((input.vendor?.length ?? 0) > TEXT_MAX) problems.push({ attribute: 'vendor', label: 'Vendor', text: tooLong });
  if ((input.productType?.length ?? 0) > TEXT_MAX) {
    problems.push(
      { attribute: 'productType', label: 'Product type', text: tooLong },
      { attribute: 'customProductType', label: 'Custom product type', text: tooLong },
    );
  }
  if (input.tags?.some((tag) => tag.length > TEXT_MAX))
    problems.push({ attribute: 'tags', label: 'Product tags', text: 'is invalid' });
  return problems;
}

/** The handle to use, or null when an explicit one belongs to another product. */
export function chooseHandle(store: Store, input: ProductFieldsInput, product: ProductRecord | null): string | null {
  const isTaken = (handle: string) => {
    const holder = store.productsByHandle.get(handle);
    return holder !== undefined && holder !== product;
  };
  const explicit = input.handle === undefined || input.handle === null ? null : handleFrom(input.handle);
  if (explicit !== null && explicit !== '') return isTaken(explicit) ? null : explicit;
  // A title change alone keeps the handle; a blank one asks for a new one.
  if (product && explicit === null) return product.handle;
  return freeHandle(handleFrom(input.title ?? product?.title ?? ''), isTaken);
}

export function handleTaken(handle: string, code: string | null = null): UserError {
  return userError(['input', 'handle'], `Handle '${handle}' already in use. Please provide a new handle.`, code);
}

/** Tags come back sorted, without repeats that differ in case only; a comma separates two tags. */
export function normaliseTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags.flatMap((text) => text.split(','))) {
    const trimmed = tag.trim();
    if (trimmed !== '' && !byKey.has(trimmed.toLowerCase())) byKey.set(trimmed.toLowerCase(), trimmed);
  }
  return [...byKey.values()].sort((left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1));
}

/** Omitted fields stay; call after the problems were looked at. */
export function applyProductFields(
  store: Store,
  product: ProductRecord,
  input: ProductFieldsInput,
  handle: string,
): void {
  if (input.title !== undefined && input.title !== null) product.title = input.title;
  if (handle !== product.handle) setHandle(store, product, handle);
  if (input.descriptionHtml !== undefined) product.descriptionHtml = input.descriptionHtml ?? '';
  if (input.vendor !== undefined) product.vendor = input.vendor ?? '';
  if (input.productType !== undefined) product.productType = input.productType ?? '';
  if (input.tags !== undefined) product.tags = normaliseTags(input.tags ?? []);
  if (input.status !== undefined && input.status !== null) product.status = input.status;
  if (input.requiresSellingPlan !== undefined) product.requiresSellingPlan = input.requiresSellingPlan ?? false;
  if (input.combinedListingRole !== undefined) product.combinedListingRole = input.combinedListingRole;
  if (input.templateSuffix !== undefined) product.templateSuffix = input.templateSuffix;
  if (input.category !== undefined) product.categoryId = input.category;
  if (input.seo?.title !== undefined) product.seoTitle = input.seo.title;
  if (input.seo?.description !== undefined) product.seoDescription = input.seo.description;
}

export function metafieldErrors(
  store: Store,
  ownerGid: string,
  inputs: readonly MetafieldInput[] | null | undefined,
  field: readonly (string | number)[],
  code: string | null,
): UserError[] {
  return (inputs ?? []).flatMap((input, index) => {
    const write = metafieldWrite(store, ownerGid, input);
    const problem = metafieldProblem(store, write);
    return problem
      ? [userError([...field, index, ...(problem.at === null ? [] : [problem.at])], problem.message, code)]
      : [];
  });
}

export function metafieldWrite(store: Store, ownerGid: string, input: MetafieldInput) {
  const known = input.id
    ? store.metafields.get(ownerGid)?.find((metafield) => metafield.id === parseGid(input.id ?? '')?.id)
    : undefined;
  return {
    ownerGid,
    namespace: known?.namespace ?? resolveNamespace(store, input.namespace),
    key: known?.key ?? input.key ?? '',
    type: input.type ?? null,
    value: input.value ?? '',
  };
}

/** Answers whether anything changed. */
export function applyMetafields(
  store: Store,
  ownerGid: string,
  inputs: readonly MetafieldInput[] | null | undefined,
  now: number,
): boolean {
  let changed = false;
  for (const input of inputs ?? [])
    changed = writeMetafield(store, metafieldWrite(store, ownerGid, input), now).changed || changed;
  return changed;
}

export function mediaErrors(inputs: readonly MediaInput[] | null | undefined, field: string): UserError[] {
  return (inputs ?? []).flatMap((input, index) => {
    if ((input.alt?.length ?? 0) > ALT_MAX)
      return [
        userError(
          [field, index, 'alt'],
          `The alt value exceeds the maximum limit of ${ALT_MAX} characters.`,
          'INVALID_INPUT',
        ),
      ];
    const source = input.originalSource ?? '';
    const usable = URL.canParse(source) && /^https?:$/.test(new URL(source).protocol);
    return usable ? [] : [userError([field, index, 'originalSource'], 'Image URL is invalid', 'INVALID_INPUT')];
  });
}

export function createMedia(store: Store, input: MediaInput, now: number): MediaRecord {
  const originalSource = input.originalSource ?? '';
  // Sources that say so can never become an image, so that callers can be tested against FAILED.
  const failure = /broken|\.(txt|pdf|zip)(\?|$)/.test(originalSource) ? 'IMAGE_DOWNLOAD_FAILURE' : null;
  const media: MediaRecord = {
    type: 'MediaImage',
    id: store.newId('MediaImage'),
    alt: input.alt ?? '',
    originalSource,
    createdAt: now,
    failure,
  };
  store.media.set(media.id, media);
  return media;
}

/** Null when one of them does not exist. */
export function collectionsOf(store: Store, gids: readonly string[]): CollectionRecord[] | null {
  const collections = gids.map((gid) => store.collections.get(idOfKind('Collection', gid)));
  return collections.every((collection) => collection !== undefined) ? collections : null;
}
