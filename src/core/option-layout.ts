import { PRODUCT_FIELDS } from './fields.ts';

export const isSameName = (a: string, b: string): boolean => PRODUCT_FIELDS.optionNames.same([a], [b]);

/** Whether a place stands for another option: a mere change of names is none. */
export function isOtherLayout(from: readonly string[], to: readonly string[]): boolean {
  return (
    (from.length !== to.length && from.length > 0 && to.length > 0) ||
    from.some((name, i) => {
      const at = to.findIndex((other) => isSameName(name, other));
      return at >= 0 && at !== i;
    })
  );
}

/**
 * [R4] Values of a variant's options as they read under other names: by the name, or by the place where that was only renamed. `otherwise`: what it has
 * of options that are not among `from`.
 */
export function underNames(
  values: readonly string[],
  from: readonly string[],
  to: readonly string[],
  otherwise: readonly string[],
): readonly string[] {
  if (!isOtherLayout(from, to)) return values;
  return to.map((name, i) => {
    const at = from.findIndex((own) => isSameName(own, name));
    if (at >= 0) return values[at] ?? '';
    const [old] = from.slice(i, i + 1);
    const isRenamed = old !== undefined && !to.some((other) => isSameName(other, old));
    return (isRenamed ? values[i] : otherwise[i]) ?? otherwise[i] ?? '';
  });
}

/** Values of options as they read under the names that a side has; null: it has other options, and cannot show them. */
export function valuesUnder(
  values: readonly string[],
  own: readonly string[],
  names: readonly string[],
): readonly string[] | null {
  if (!isOtherLayout(own, names)) return values;
  return isAmong(names, own, 0) ? underNames(values, own, names, []) : null;
}

/** The same, also where one of them has another name beside another place: it is the one that is left. */
export function valuesRenamed(
  values: readonly string[],
  own: readonly string[],
  names: readonly string[],
): readonly string[] | null {
  if (!isOtherLayout(own, names)) return values;
  if (!isAmong(names, own, 1)) return null;
  const rest = values.filter((_value, i) => !names.some((name) => isSameName(name, own[i] ?? '')));
  return names.map((name) => {
    const at = own.findIndex((each) => isSameName(each, name));
    return (at >= 0 ? values[at] : rest[0]) ?? '';
  });
}

/** Whether these are as many, and all but so many the same. */
function isAmong(names: readonly string[], own: readonly string[], butMax: number): boolean {
  if (own.length !== names.length) return false;
  return names.filter((name) => !own.some((each) => isSameName(name, each))).length <= butMax;
}
