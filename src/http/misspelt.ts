import { distance } from 'fastest-levenshtein';
import type { TSchema } from 'typebox';

/** A part of a request that its schema does not know, and the one that was probably meant. */
export interface Misspelt {
  /** Where it stands, as a JSON pointer. */
  readonly instancePath: string;
  readonly meant: string;
}

/** Letters of a name for one that may be wrong, missing or too many. */
const LETTERS_PER_MISTAKE = 5;
/** Of the names in one place that a schema does not know, so many are compared: a body has room for thirty thousand. */
const STRANGE_MAX = 100;

/**
 * What a schema does not know is ignored, as clients of other versions expect. A name that is one of its own but for a letter, and stands where that one
 * is left out, is a mistake: ignored, a pair that was to travel one way (`syncDirecton`) would travel both.
 */
export function findMisspelt(schema: TSchema, value: unknown, path = ''): readonly Misspelt[] {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, TSchema>> };
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const leftOut = Object.keys(properties).filter((name) => !Object.hasOwn(value, name));
  let strange = 0;
  return Object.entries(value).flatMap(([name, part]) => {
    const instancePath = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) return findMisspelt(known, part, instancePath);
    strange += 1;
    const meant = strange > STRANGE_MAX ? undefined : leftOut.find((own) => isNearly(own, name));
    return meant === undefined ? [] : [{ instancePath, meant }];
  });
}

function isNearly(own: string, given: string): boolean {
  const [a, b] = [plain(own), plain(given)];
  const allowed = Math.floor(a.length / LETTERS_PER_MISTAKE);
  return Math.abs(a.length - b.length) <= allowed && distance(a, b) <= allowed;
}

/** Without what styles of writing names differ in. */
function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
