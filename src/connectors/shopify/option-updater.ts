import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductWrite } from '../../ports/connector.ts';
import type { ShopifyClient } from './client.ts';
import { exportOptionNames, exportOptionValues, refused } from './export-mapper.ts';
import { OPERATIONS } from './operations.gen.ts';
import type { Progress, Until } from './update-progress.ts';
import { firstUserError } from './user-errors.ts';
import { ProductOptionsAnswer, ProductOptionsCreateAnswer, ProductOptionUpdateAnswer } from './wire.ts';

export type Update = ProductWrite & { readonly type: 'update' };

export interface OptionPlan {
  /** Option names as Shopify has them once the plan is carried out. */
  readonly names: readonly string[];
  readonly renames: readonly {
    readonly position: number;
    readonly name: string;
    readonly values: ReadonlyMap<string, string>;
  }[];
  readonly added: readonly { readonly name: string; readonly position: number; readonly value: string }[];
  /** Values to give to variants one by one, by their external id: what is no renaming of a value for all who bear it. */
  readonly variantValues: ReadonlyMap<string, readonly string[]>;
}

/**
 * What has to happen to options and values so that `update` holds. A value that every variant bearing it gives up for the same new one is renamed in
 * place (swatches and translations stay); anything else is a change of single variants. An option can be added, and never taken away: Shopify would
 * delete variants. Pure.
 */
export function planOptions(update: Update): OptionPlan | null {
  const { seen, fields } = update;
  const changed = update.variants.filter((variant) => variant.fields.optionValues !== undefined);
  if (fields.optionNames === undefined && changed.length === 0) return null;

  const before = exportOptionNames(seen.fields.optionNames);
  const names = fields.optionNames === undefined ? before : exportOptionNames(fields.optionNames);
  if (names.length < before.length || (names.length === 1 && names[0] === 'Title' && before[0] !== 'Title')) {
    throw refused(
      'optionNames',
      'an option can’t be taken away from a product on Shopify without deleting variants; remove it there',
    );
  }
  const givenValues = new Map(changed.map((variant) => [variant.externalId, variant.fields.optionValues ?? []]));
  const rows = seen.variants.map((variant) => {
    const old = exportOptionValues(variant.fields.optionValues, before).map(({ name }) => name);
    const given = givenValues.get(variant.externalId);
    const next = given === undefined ? old : exportOptionValues(given, names).map(({ name }) => name);
    return { id: variant.externalId, old, next, isGiven: given !== undefined };
  });
  if (names.length > before.length && rows.some((row) => !row.isGiven)) {
    throw refused('optionValues', 'a new option needs a value for every variant');
  }

  const renames: OptionPlan['renames'][number][] = [];
  before.forEach((name, index) => {
    const values = renamedValues(rows.map((row) => [row.old[index] ?? '', row.next[index] ?? ''] as const));
    const next = names[index] ?? name;
    if (next !== name || values.size > 0) renames.push({ position: index, name: next, values });
  });
  const added = names.slice(before.length).map((name, index) => ({
    name,
    position: before.length + index + 1,
    // Existing variants first get this value; `variantValues` then gives each its own.
    value: rows[0]?.next[before.length + index] ?? '',
  }));
  const variantValues = new Map<string, readonly string[]>();
  for (const row of rows) {
    const reached = [
      ...row.old.map((value, index) => renames.find(({ position }) => position === index)?.values.get(value) ?? value),
      ...added.map(({ value }) => value),
    ];
    if (row.isGiven && reached.some((value, index) => value !== row.next[index])) variantValues.set(row.id, row.next);
  }
  return { names, renames, added, variantValues };
}

/** Old value -> new value, where all who bear the old one take the same new one, and nobody bears the new one yet. */
function renamedValues(moves: readonly (readonly [string, string])[]): Map<string, string> {
  const targets = new Map<string, Set<string>>();
  for (const [old, next] of moves) targets.set(old, (targets.get(old) ?? new Set()).add(next));
  const taken = new Set(targets.keys());
  const renamed = new Map<string, string>();
  for (const [old, nexts] of targets) {
    const [next] = nexts;
    if (nexts.size !== 1 || next === undefined || next === old || taken.has(next)) continue;
    taken.add(next);
    renamed.set(old, next);
  }
  return renamed;
}

/** Carries out the part of the plan that concerns the product; the ids of options are read now, for they may have changed since `seen`. */
export async function updateOptions(
  client: ShopifyClient,
  productId: string,
  plan: OptionPlan,
  progress: Progress,
  until: Until,
): Promise<void> {
  if (plan.renames.length === 0 && plan.added.length === 0) return;
  const { product } = await client.call(OPERATIONS.productOptions, { id: productId }, ProductOptionsAnswer, until());
  if (product === null) throw new ConnectorError('not_found', 'Shopify has no product with this id');
  const options = [...product.options].sort((a, b) => a.position - b.position);
  for (const { position, name, values } of plan.renames) {
    const option = options[position];
    if (option === undefined) throw refused('optionNames', 'the options of the product have changed on Shopify');
    const optionValuesToUpdate = option.optionValues
      .filter((value) => values.has(value.name))
      .map((value) => ({ id: value.id, name: values.get(value.name) }));
    const variables = {
      productId,
      option: { id: option.id, ...(option.name === name ? {} : { name }) },
      optionValuesToUpdate: optionValuesToUpdate.length > 0 ? optionValuesToUpdate : null,
    };
    const answer = await client.call(OPERATIONS.productOptionUpdate, variables, ProductOptionUpdateAnswer, until());
    const error = firstUserError(answer.productOptionUpdate.userErrors);
    if (error !== null) throw error;
    progress.isPartlyDone = true;
  }
  if (plan.added.length === 0) return;
  const added = plan.added.map(({ name, position, value }) => ({ name, position, values: [{ name: value }] }));
  const answer = await client.call(
    OPERATIONS.productOptionsCreate,
    { productId, options: added },
    ProductOptionsCreateAnswer,
    until(),
  );
  const error = firstUserError(answer.productOptionsCreate.userErrors);
  if (error !== null) throw error;
  progress.isPartlyDone = true;
}
