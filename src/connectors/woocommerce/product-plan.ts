import { ConnectorError } from '../../model/connector-error.ts';
import type { VariantFields } from '../../model/product.ts';
import type { ProductCreate, ProductWrite } from '../../ports/connector.ts';
import { idText, wireId } from '../shared/exact-json.ts';
import type { BatchItem } from './batch.ts';
import { CODES, type HeldCodes, orderByCodes, withCodeSettled } from './code-order.ts';
import {
  type AttributeBody,
  exportChoices,
  exportFields,
  exportNewVariant,
  exportSwitchedOn,
  exportVariant,
  joinBodies,
  lostWeight,
  mergedAttributes,
  newAttributes,
} from './export-mapper.ts';
import { type Passthrough, type SwitchedOff, variationAttributes } from './import-mapper.ts';
import {
  refuse,
  refuseEqualCodes,
  refuseNoWeight,
  refuseOptions,
  refuseTerms,
  refuseWrongValues,
} from './known-refusals.ts';
import { markMeta, putAwayMeta, readMarks, withMark } from './marks.ts';
import { passthroughOf } from './passthrough-of.ts';
import { isTaxed, representTags } from './represent.ts';
import type { StoreFacts } from './store-facts.ts';
import { cleanField, decodeText } from './text.ts';
import { type WireProduct, wire } from './wire.ts';

/** The calls that one product write turns into, decided before any is sent. */
export interface ProductPlan {
  /**
   * Variations that are written before all else: those to take out of the bin before their product leaves it (seen without them it would look as if they
   * had been deleted), and those that have to let go of their SKU or barcode.
   */
  readonly ahead: readonly BatchItem[];
  /** The product itself; null when nothing of it changes. `tags` is filled in by the sender, who knows their ids. */
  readonly parent: BatchItem | null;
  /** Names of tags to put into the parent's body; null to leave them alone. */
  readonly tags: readonly string[] | null;
  /** Variations, in the order in which they are sent: changes first, then new ones (among them those that are switched on again). */
  readonly variations: readonly BatchItem[];
  /** What the variations of a known product have, by id. */
  readonly held?: ReadonlyMap<string, HeldCodes>;
  readonly newVariantCount: number;
  /** Sent last: a new variable product stays a draft until all its variations are there; a weight that the create lost. */
  readonly finalFields: Readonly<Record<string, unknown>> | null;
}

type Update = ProductWrite & { type: 'update' };

const [SKU] = CODES;

/** Whether the write has to know the product's attributes and marks as they are now. */
export function needsFreshRead(write: ProductWrite): write is Update {
  return (
    write.type === 'update' &&
    (write.mark !== undefined ||
      write.newVariants.length > 0 ||
      write.fields.optionNames !== undefined ||
      write.variants.some((variant) => variant.fields.optionValues !== undefined))
  );
}

export function planCreate(write: ProductCreate, facts: StoreFacts): ProductPlan {
  const { fields, variants } = write;
  const tags = representTags(fields.tags);
  const { title, descriptionHtml, status } = fields;
  const isSimple = fields.optionNames.length === 0;
  refuseOptions(fields.optionNames);
  const [only] = variants;
  if (isSimple && (variants.length !== 1 || !only)) {
    throw refuse('optionNames', 'a product without options has exactly one variant');
  }
  const shared = {
    ...exportFields({ title, descriptionHtml, status }, null, 0),
    ...(fields.handle === '' ? {} : { slug: fields.handle }),
    ...(isTaxed(variants.map((variant) => variant.fields)) ? {} : { tax_status: 'none' }),
    meta_data: [markMeta([write.mark])],
  };
  if (isSimple && only) {
    const body = joinBodies({ ...shared, type: 'simple' }, exportNewVariant(only, facts));
    const parent: BatchItem = { verb: 'create', body };
    return { ahead: [], parent, tags, variations: [], newVariantCount: 1, finalFields: lostWeight(body) };
  }
  const attributes = newAttributes(
    fields.optionNames,
    variants.map((variant) => variant.fields),
  );
  const body = { ...shared, type: 'variable', status: 'draft', attributes };
  const variations = variants.map((variant, index): BatchItem => {
    refuseWrongValues(variant.fields.optionValues, fields.optionNames);
    const choices = exportChoices(attributes, variant.fields.optionValues);
    // The order given is the order shown; WooCommerce would otherwise go by id alone.
    return { verb: 'create', body: { ...exportNewVariant(variant, facts), ...choices, menu_order: index + 1 } };
  });
  refuseEqualCodes(variations, facts);
  const wanted = (shared as { status?: unknown }).status;
  return {
    ahead: [],
    parent: { verb: 'create', body },
    tags,
    variations,
    newVariantCount: variants.length,
    finalFields: wanted === 'draft' ? null : { status: wanted },
  };
}

/** `fresh` is the product as it is now, for writes that replace lists as a whole (`needsFreshRead`). */
export function planUpdate(write: Update, fresh: unknown, facts: StoreFacts, storeNowMs: number): ProductPlan {
  if (idText(write.externalId) === null) throw refuse(undefined, 'not a product id');
  const seen = write.seen;
  const through = passthroughOf(seen);
  const tags = write.fields.tags === undefined ? null : representTags(write.fields.tags);
  const own = exportFields(write.fields, through, storeNowMs);
  const marks = write.mark && {
    meta_data: [markMeta(withMark(readMarks(parsed(fresh, write).meta_data), write.mark))],
  };
  if (isSimple(write)) {
    return planSimpleUpdate(write, { ...own, ...marks }, tags, through, facts);
  }
  refuseNoWeight(write.variants, through);
  const { attributes, names, valuesById } = planAttributes(write, fresh, through);
  const known = new Map(seen.variants.map((variant) => [variant.externalId, variant] as const));
  const isRenamed = write.fields.optionNames !== undefined && attributes !== null;
  // When attributes are renamed, every variation has to be told its values again under the new names.
  const changed = new Map(write.variants.map((variant) => [variant.externalId, variant.fields] as const));
  for (const id of isRenamed ? known.keys() : []) if (!changed.has(id)) changed.set(id, {});
  const keptSkus = through?.keptSkus ?? {};
  for (const id of Object.keys(keptSkus)) if (!changed.has(id)) changed.set(id, {});
  const variations: BatchItem[] = [];
  for (const [id, fields] of changed) {
    // WooCommerce would move a variation of another product here rather than refuse it.
    if (!known.has(id)) throw new ConnectorError('not_found', `${id} is not a variation of ${write.externalId}`);
    const needsChoices = attributes !== null && (isRenamed || fields.optionValues !== undefined);
    const body = {
      ...exportVariant(fields, through?.prices[id], facts, through?.keptBarcodes?.includes(id)),
      ...(needsChoices ? exportChoices(attributes, valuesById.get(id) ?? []) : {}),
    };
    const item: BatchItem = { verb: 'update', body: { id: wireId(id), ...body } };
    if (id in keptSkus) variations.push(withCodeSettled(item, SKU, keptSkus[id]));
    else if (Object.keys(body).length > 0) variations.push(item);
  }
  for (const id of write.archiveVariants) {
    const left = known.get(id);
    if (!left) throw new ConnectorError('not_found', `${id} is not a variation of ${write.externalId}`);
    const meta_data = [putAwayMeta(left.fields.sku)];
    variations.push({ verb: 'update', body: { id: wireId(id), status: 'private', meta_data } });
  }
  write.newVariants.forEach((variant, index) => {
    refuseWrongValues(variant.fields.optionValues, names);
    const choices = exportChoices(attributes ?? [], variant.fields.optionValues);
    const menu_order = seen.variants.length + index + 1;
    const old = switchedOffAs(variant.fields, through);
    variations.push(
      old === undefined
        ? { verb: 'create', body: { ...exportNewVariant(variant, facts), ...choices, menu_order } }
        : { verb: 'update', body: { ...exportSwitchedOn(variant, old, facts), ...choices, menu_order } },
    );
  });
  const body = { ...own, ...marks, ...(attributes === null ? {} : { attributes }) };
  const isBarcodeThere = (id: string) => facts.hasBarcodes && through?.keptBarcodes?.includes(id) !== true;
  const held = new Map<string, HeldCodes>();
  for (const [id, { fields }] of known)
    held.set(id, { sku: id in keptSkus ? '' : fields.sku, barcode: isBarcodeThere(id) ? fields.barcode : '' });
  const order = orderByCodes(variations, held);
  return {
    ahead: [...(own['status'] === undefined ? [] : revivals(through)), ...order.released],
    parent: parentUpdate(write.externalId, body, tags),
    tags,
    variations: order.variations,
    held,
    newVariantCount: write.newVariants.length,
    finalFields: null,
  };
}

/**
 * [C29] The variation that was switched off under the key of a new one. WooCommerce would refuse a second one with its SKU; one with its options alone
 * could never be bought.
 */
function switchedOffAs(fields: VariantFields, through: Passthrough | null): SwitchedOff | undefined {
  const key = ({ sku, optionValues }: Pick<VariantFields, 'sku' | 'optionValues'>) =>
    cleanField(sku) === '' ? JSON.stringify(optionValues).toLowerCase() : cleanField(sku).toLowerCase();
  const same = (through?.switchedOff ?? []).filter((old) => key(old) === key(fields));
  return same.length === 1 ? same[0] : undefined;
}

function planSimpleUpdate(
  write: Update,
  own: Readonly<Record<string, unknown>>,
  tags: readonly string[] | null,
  through: Passthrough | null,
  facts: StoreFacts,
): ProductPlan {
  // Its one variant is the product itself; giving it options would make it another record with another id.
  const addsOptions = (write.fields.optionNames?.length ?? 0) > 0 || write.newVariants.length > 0;
  if (addsOptions) {
    throw refuse(
      'optionNames',
      'WooCommerce keeps a product without options as another kind of record: it can be given options only by being made anew. Delete it there for good: from the bin it would be taken out again',
    );
  }
  if (write.archiveVariants.length > 0) {
    throw refuse(undefined, 'the only variant of a product cannot be put away: make the product a draft');
  }
  let body = own;
  for (const { externalId, fields } of write.variants) {
    if (externalId !== write.externalId) {
      throw new ConnectorError('not_found', `${externalId} is not a variant of ${write.externalId}`);
    }
    const isBarcodeKept = through?.keptBarcodes?.includes(externalId);
    body = joinBodies(body, exportVariant(fields, through?.prices[externalId], facts, isBarcodeKept));
  }
  const kept = through?.keptSkus?.[write.externalId];
  const changed = parentUpdate(write.externalId, body, tags);
  const parent = changed === null || kept === undefined ? changed : withCodeSettled(changed, SKU, kept);
  return { ahead: [], parent, tags, variations: [], newVariantCount: 0, finalFields: null };
}

/** By the API a product leaves the bin alone; only WordPress' own pages bring its variations back with it. */
function revivals(through: Passthrough | null): BatchItem[] {
  return Object.entries(through?.binned ?? {}).map(([id, status]) => ({
    verb: 'update',
    body: { id: wireId(id), status },
  }));
}

function parentUpdate(
  id: string,
  body: Readonly<Record<string, unknown>>,
  tags: readonly string[] | null,
): BatchItem | null {
  if (Object.keys(body).length === 0 && tags === null) return null;
  return { verb: 'update', body: { id: wireId(id), ...body } };
}

/** A product that is its own one variant, and stays so. */
export function isSimple({ seen }: Update): boolean {
  return passthroughOf(seen)?.type !== 'variable' && seen.fields.optionNames.length === 0;
}

/** The options that a variable product is to have, and the values of each variation that is there. */
export function namesAndValues(write: Update) {
  const names = write.fields.optionNames ?? write.seen.fields.optionNames;
  refuseOptions(names, write.seen.fields.optionNames);
  if (names.length === 0 && write.fields.optionNames !== undefined)
    throw refuse('optionNames', 'turn it into a simple product in WooCommerce, which deletes its variations there');
  const valuesById = new Map<string, readonly string[]>();
  for (const variant of write.seen.variants) {
    const given = write.variants.find((one) => one.externalId === variant.externalId)?.fields.optionValues;
    valuesById.set(variant.externalId, given ?? variant.fields.optionValues);
  }
  return { names, valuesById };
}

/** The attribute list to send, null when neither names nor values change; and each variation's values by the new names. */
function planAttributes(write: Update, fresh: unknown, through: Passthrough | null) {
  const { names, valuesById } = namesAndValues(write);
  const isStructural =
    write.fields.optionNames !== undefined ||
    write.newVariants.length > 0 ||
    write.variants.some((variant) => variant.fields.optionValues !== undefined);
  let attributes: AttributeBody[] | null = null;
  if (isStructural) {
    const current = parsed(fresh, write).attributes;
    const isSameNames = variationAttributes({ attributes: current })
      .map((attribute) => decodeText(attribute.name))
      .every((name, index, all) => all.length === names.length && name === names[index]);
    const newValues = write.newVariants.map((variant) => variant.fields.optionValues);
    const all = [...valuesById.values(), ...newValues];
    for (const values of all) refuseWrongValues(values, names);
    const merged = mergedAttributes(current, names, {
      // Where it isn't known who else bears a value, none is taken for ours alone.
      names: through === null ? [] : write.seen.fields.optionNames,
      switchedOff: (through?.switchedOff ?? []).map((old) => old.optionValues),
      changes: write.seen.variants.map((one) => [one.fields.optionValues, valuesById.get(one.externalId) ?? []]),
      added: newValues,
    });
    const isNamed = write.fields.optionNames !== undefined && !isSameNames;
    const isChanged =
      isNamed || newValues.length > 0 || write.variants.some((one) => one.fields.optionValues !== undefined);
    attributes = isChanged ? merged : null;
    if (isChanged) refuseTerms(merged, current, all);
  }
  return { attributes, names, valuesById };
}

function parsed(fresh: unknown, write: Update): WireProduct {
  if (!wire.product.Check(fresh))
    throw new ConnectorError('malformed', `product ${write.externalId} can't be understood`);
  return fresh;
}
