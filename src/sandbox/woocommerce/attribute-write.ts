import { absInt, toText } from './decimal.ts';
import { isObject, isSet, type Json } from './json.ts';
import { sanitizeText, sanitizeTitle } from './php-text.ts';
import type { ProductAttribute, ProductRecord, Taxonomy, VariationChoice } from './records.ts';
import type { Site } from './site.ts';

/** A product's attribute list is replaced as a whole. Terms a global attribute lacks are made. */
export function readAttributes(site: Site, items: readonly Json[]): ProductAttribute[] {
  const found = new Map<string, ProductAttribute>();
  for (const item of items) {
    if (!isObject(item)) continue;
    const id = absInt(item['id']);
    const global = id > 0 ? site.terms.attributes.get(id) : undefined;
    const name = global?.name ?? (id > 0 ? '' : sanitizeText(toText(item['name'])));
    // PHP takes "0" for nothing.
    if (name === '' || (name === '0' && !global) || !isSet(item['options'])) continue;
    const given = Array.isArray(item['options']) ? item['options'].map(toText) : toText(item['options']).split('|');
    const options = given
      .map((option) => (global ? withoutTags(option) : option).trim())
      .filter((option) => option !== '');
    if (global && options.length === 0) continue;
    const key = global?.slug ?? name;
    found.set(sanitizeTitle(key), {
      id: global?.id ?? 0,
      name,
      key,
      position: absInt(item['position']),
      visible: item['visible'] === true || item['visible'] === 'true',
      variation: item['variation'] === true || item['variation'] === 'true',
      options: global ? [] : options,
      termIds: global ? termIds(site, global.slug as Taxonomy, options) : [],
    });
  }
  return [...found.values()].sort((a, b) => a.position - b.position);
}

/** strip_tags: a "<" with no space behind it begins a tag, which ends with the text where nothing else ends it. */
function withoutTags(text: string): string {
  return text.replace(/<(?!\s)[^>]*>?/g, '');
}

function termIds(site: Site, taxonomy: Taxonomy, names: readonly string[]): number[] {
  const ids = names.map((name) => (site.terms.findAlike(taxonomy, name) ?? site.terms.ensure(taxonomy, name))?.id ?? 0);
  return [...new Set(ids)].filter((id) => id > 0);
}

/** Choices that do not belong to one of the parent's variation attributes are dropped. */
export function readChoices(site: Site, parent: ProductRecord, items: readonly Json[]): VariationChoice[] {
  const chosen = new Map<string, string>();
  for (const item of items) {
    if (!isObject(item)) continue;
    const attribute = matchAttribute(parent, absInt(item['id']), toText(item['name']));
    if (!attribute?.variation) continue;
    const option = sanitizeText(toText(item['option']));
    chosen.set(sanitizeTitle(attribute.key), attribute.id > 0 ? termSlug(site, attribute, option) : option);
  }
  const order = parent.attributes.map((attribute) => sanitizeTitle(attribute.key));
  return order.flatMap((key) => (chosen.has(key) ? [{ key, value: chosen.get(key) ?? '' }] : []));
}

export function readDefaultChoices(site: Site, product: ProductRecord, items: readonly Json[]): VariationChoice[] {
  return readChoices(site, product, items).filter((choice) => choice.value !== '');
}

function matchAttribute(parent: ProductRecord, id: number, name: string): ProductAttribute | undefined {
  if (id > 0) return parent.attributes.find((attribute) => attribute.id === id);
  const key = sanitizeTitle(name);
  return parent.attributes.find((attribute) => sanitizeTitle(attribute.key) === key);
}

function termSlug(site: Site, attribute: ProductAttribute, option: string): string {
  return site.terms.findAlike(attribute.key as Taxonomy, option)?.slug ?? sanitizeTitle(option);
}

export function listOptions(site: Site, attribute: ProductAttribute): string[] {
  if (attribute.id === 0) return [...attribute.options];
  const terms = attribute.termIds.flatMap((id) => site.terms.terms.get(id) ?? []);
  return terms.sort((a, b) => a.menuOrder - b.menuOrder || (a.name < b.name ? -1 : 1)).map((term) => term.name);
}
