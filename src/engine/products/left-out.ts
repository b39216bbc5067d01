import { type FieldPath, type FieldSpec, parsePath, VARIANT_FIELDS, variantPath } from '../../core/fields.ts';
import type { SideWrite } from '../../core/reconciliation.ts';
import { isOnSale } from '../../core/safety.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import type { VariantId } from '../../model/ids.ts';
import type { ProductFields, VariantFieldName, VariantFields } from '../../model/product.ts';
import { isLimitedForLong } from '../stores/writes-limited.ts';
import type { ProductPush } from './push-products.ts';
import type { Part } from './suspects.ts';

/** What of a product is not sent to a side in this pass: its platform has refused it [B1], or never answers it [W8]. */
export interface LeftOut {
  readonly paths: ReadonlySet<FieldPath>;
  readonly newVariants: ReadonlySet<VariantId>;
  /** Removed variants that are not put away yet. */
  readonly archived: ReadonlySet<VariantId>;
  /** The options are left out: no variant is made either, nor the last one put away. */
  readonly hasOptions: boolean;
  /** The refusals, one for each try. */
  readonly errors: readonly ConnectorError[];
  /** The parts (`suspects.ts`) that are never answered, and wait for a try of their own. */
  readonly putOff: ReadonlySet<string>;
}

export const NOTHING_LEFT_OUT: LeftOut = {
  paths: new Set(),
  newVariants: new Set(),
  archived: new Set(),
  hasOptions: false,
  errors: [],
  putOff: new Set(),
};

/** Further tries of a write that is refused for one field after another. */
const TRIES_MAX = 3;

/** Names and values only hold together. */
const OPTION_FIELDS: ReadonlySet<string> = new Set(['optionNames', 'optionValues']);

type RefusedPart = Pick<LeftOut, 'paths' | 'newVariants' | 'hasOptions'>;

/** A write, what it says by our ids, and what of it was refused before. */
export interface Refusable extends Pick<ProductPush, 'write' | 'leftOut'> {
  readonly sent: SideWrite;
}

/** What a refused update leaves out when its rest is sent; null: the refusal names no part of it, or nothing would be left. */
export function leaveOut(refusable: Refusable, error: ConnectorError): LeftOut | null {
  const { leftOut, write } = refusable;
  if (write.type === 'create' || leftOut.errors.length >= TRIES_MAX) return null;
  const part = partOf(refusable, error);
  if (part === null) return null;
  const next: LeftOut = {
    ...leftOut,
    paths: new Set([...leftOut.paths, ...part.paths]),
    newVariants: new Set([...leftOut.newVariants, ...part.newVariants]),
    hasOptions: leftOut.hasOptions || part.hasOptions,
    errors: [...leftOut.errors, error],
  };
  const isLeft = write.archiveVariants.length > 0 || !isNothing(restOf(refusable.sent, next));
  return isLeft ? next : null;
}

/** [W8] What is left out besides when some parts of an update are put off. */
export function leavePartsOut(leftOut: LeftOut, parts: ReadonlyMap<string, Part>, names: readonly string[]): LeftOut {
  const off = names.flatMap((name) => parts.get(name) ?? []);
  return {
    ...leftOut,
    paths: new Set([...leftOut.paths, ...off.flatMap(({ paths }) => paths)]),
    newVariants: new Set([...leftOut.newVariants, ...off.flatMap(({ newVariants }) => newVariants)]),
    archived: new Set([...leftOut.archived, ...off.flatMap(({ archived }) => archived)]),
    putOff: new Set([...leftOut.putOff, ...names]),
  };
}

/** A write without what is left out. */
export function restOf(write: SideWrite, { paths, newVariants }: LeftOut): SideWrite {
  if (paths.size === 0 && newVariants.size === 0) return write;
  const variants = Object.entries(write.variants).flatMap(([id, own]) => {
    const left = Object.entries(own).filter(([name]) => !paths.has(pathOf(id, name)));
    return left.length === 0 ? [] : [[id, Object.fromEntries(left)] as const];
  });
  return {
    fields: Object.fromEntries(Object.entries(write.fields).filter(([name]) => !paths.has(name))),
    variants: Object.fromEntries(variants),
    newVariants: write.newVariants.filter((id) => !newVariants.has(id)),
  };
}

export function isNothing({ fields, variants, newVariants }: SideWrite): boolean {
  return Object.keys(fields).length + Object.keys(variants).length + newVariants.length === 0;
}

export const NO_WRITE: SideWrite = { fields: {}, variants: {}, newVariants: [] };

function partOf(refusable: Refusable, error: ConnectorError): RefusedPart | null {
  const { write } = refusable;
  // [A1] There is no room for what is new, for hours or days: all else of the product does not wait for that.
  if (isLimitedForLong(error) && write.type === 'update' && write.newVariants.length > 0)
    return { paths: new Set(), newVariants: new Set(write.newVariants.map((own) => own.variantId)), hasOptions: true };
  const { field } = error.details;
  return error.kind === 'rejected' && field !== undefined ? refusedPart(refusable, field) : null;
}

function refusedPart({ write, sent }: Refusable, field: string): RefusedPart | null {
  const isOption = OPTION_FIELDS.has(field);
  const added = write.type === 'update' ? write.newVariants : [];
  const paths = pathsIn(sent).filter((path) => {
    const name = parsePath(path)?.name;
    return name === field || (isOption && name !== undefined && OPTION_FIELDS.has(name));
  });
  if (isOption) {
    const isPart = paths.length + added.length > 0;
    const newVariants = new Set(added.map(({ variantId }) => variantId));
    return isPart ? { paths: new Set(paths), newVariants, hasOptions: true } : null;
  }
  if (paths.length > 0) {
    const refused = meant(paths, (path) => isBlank(field, valueAt(sent, path)));
    // Nobody is to buy it at the price that it had.
    const goesOnSale = field === 'price' && isOnSale(sent.fields.status);
    return { paths: new Set(goesOnSale ? [...refused, 'status'] : refused), newVariants: new Set(), hasOptions: false };
  }
  if (added.length === 0 || (field !== 'stock' && !Object.hasOwn(VARIANT_FIELDS, field))) return null;
  const refused = meant(added, ({ fields }) => isBlank(field, fields[field as VariantFieldName]));
  return { paths: new Set(), newVariants: new Set(refused.map(({ variantId }) => variantId)), hasOptions: false };
}

/** A refusal does not say which of several variants it means: where some of them have no value, it is those that are left out first. */
function meant<T>(all: readonly T[], isWithout: (one: T) => boolean): readonly T[] {
  const without = all.filter(isWithout);
  return without.length > 0 ? without : all;
}

function isBlank(field: string, value: unknown): boolean {
  if (!Object.hasOwn(VARIANT_FIELDS, field)) return false;
  return (VARIANT_FIELDS[field as VariantFieldName] as FieldSpec<unknown>).isBlank(value);
}

function pathsIn({ fields, variants }: SideWrite): readonly FieldPath[] {
  const own = Object.entries(variants).flatMap(([id, values]) => Object.keys(values).map((name) => pathOf(id, name)));
  return [...Object.keys(fields), ...own];
}

function pathOf(id: string, name: string): FieldPath {
  return variantPath(id as VariantId, name as VariantFieldName);
}

function valueAt({ fields, variants }: SideWrite, path: FieldPath): unknown {
  const parsed = parsePath(path);
  if (parsed === null) return undefined;
  if (parsed.variantId === null) return fields[parsed.name as keyof ProductFields];
  return variants[parsed.variantId]?.[parsed.name as keyof VariantFields];
}
