import { readChoices } from './attribute-write.ts';
import { toBool, toInt, toText } from './decimal.ts';
import { writeVariationImage } from './image-store.ts';
import { asList, isSet, type Params } from './json.ts';
import { writeMeta } from './meta.ts';
import { kses } from './php-text.ts';
import { STATUSES, writeDownloads, writePrices, writeQuantity, writeShared } from './product-write.ts';
import type { ProductRecord, RareFields } from './records.ts';
import type { Site } from './site.ts';

/** Applies a variation request. Duplicate combinations and choices of "any" are accepted, as the real server does. */
export function writeVariation(site: Site, record: ProductRecord, parent: ProductRecord, params: Params): void {
  if (isSet(params['status'])) {
    const status = toText(params['status']);
    record.status = STATUSES.includes(status) ? status : 'draft';
  }
  writeShared(site, record, params);
  if ('image' in params && params['image'] !== undefined) writeVariationImage(site, record, params['image']);
  writeStock(record, params);
  writePrices(site, record, params);
  if (isSet(params['description'])) {
    const text = toText(params['description']);
    record.description = site.settings.unfilteredHtml ? text : kses(text);
  }
  if (isSet(params['attributes'])) record.choices = readChoices(site, parent, asList(params['attributes']));
  writeRare(record, params);
  writeMeta(site, record, params['meta_data']);
  nameVariation(site, record, parent);
}

function writeStock(record: ProductRecord, params: Params): void {
  // "parent" is no yes: it switches the variation's own management off, and the parent's shows through.
  if (isSet(params['manage_stock'])) record.manageStock = toBool(params['manage_stock']);
  if (isSet(params['stock_status'])) record.stockStatus = toText(params['stock_status']);
  if (isSet(params['backorders'])) record.backorders = toText(params['backorders']);
  if (record.manageStock) writeQuantity(record, params);
}

function writeRare(record: ProductRecord, params: Params): void {
  const change: Partial<{ -readonly [K in keyof RareFields]: RareFields[K] }> = {};
  const put = <K extends keyof RareFields>(key: K, value: RareFields[K] | undefined): void => {
    if (value !== undefined && value !== record.rare[key]) change[key] = value;
  };
  const int = (key: string): number | undefined => (isSet(params[key]) ? toInt(params[key]) : undefined);
  put('virtual', isSet(params['virtual']) ? toBool(params['virtual']) : undefined);
  put('menuOrder', int('menu_order') || undefined);
  const isDownloadable = isSet(params['downloadable']) ? toBool(params['downloadable']) : undefined;
  writeDownloads(record, params, put, isDownloadable, int);
  if (Object.keys(change).length > 0) record.rare = { ...record.rare, ...change };
}

/** The post's title and slug: parent's name and choices, unless there are too many to read. */
export function nameVariation(site: Site, record: ProductRecord, parent: ProductRecord): void {
  const named = record.choices.filter((choice) => choice.value !== '');
  const shows = record.choices.length < 3 && !(record.choices.length > 1 && named.some(({ key }) => key.includes('-')));
  const suffix = shows ? named.map((choice) => choiceLabel(site, choice.key, choice.value)).join(', ') : '';
  const name = suffix === '' ? parent.name : `${parent.name} - ${suffix}`;
  if (name === record.name && record.slug !== '') return;
  record.name = name;
  site.products.setSlug(record, name);
}

/** What a shopper reads for a choice: a term's name, or the option as it is. */
export function choiceLabel(site: Site, key: string, value: string): string {
  if (!key.startsWith('pa_')) return value;
  return site.terms.findBySlug(key as `pa_${string}`, value)?.name ?? value;
}

/** A product's new name goes into its variations' titles, without moving their dates. */
export function renameVariations(site: Site, parent: ProductRecord): void {
  for (const id of parent.variationIds) {
    const child = site.products.find(id);
    if (child) nameVariation(site, child, parent);
  }
}
