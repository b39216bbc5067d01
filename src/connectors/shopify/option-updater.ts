import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductWrite } from '../../ports/connector.ts';
import { placesBefore } from '../shared/places-before.ts';
import type { ShopifyClient } from './client.ts';
import { exportOptionNames, exportOptionValues, refused } from './export-mapper.ts';
import { normaliseOptionText } from './normalise.ts';
import { OPERATIONS } from './operations.gen.ts';
import { parkedOf, parkValue } from './parked-values.ts';
import type { Progress, Until } from './update-progress.ts';
import { firstUserError } from './user-errors.ts';
import {
  ProductOptionsAnswer,
  ProductOptionsCreateAnswer,
  ProductOptionsReorderAnswer,
  ProductOptionUpdateAnswer,
} from './wire.ts';

export type Update = ProductWrite & { readonly type: 'update' };

export interface OptionPlan {
  /** Option names as Shopify has them once the plan is carried out. */
  readonly names: readonly string[];
  /** The names that are there, in their new order; null where they keep their places. */
  readonly order: readonly string[] | null;
  /** By the place in that order. */
  readonly renames: readonly {
    readonly position: number;
    readonly name: string;
    readonly values: ReadonlyMap<string, string>;
  }[];
  readonly added: readonly { readonly name: string; readonly position: number; readonly value: string }[];
  /** Values to give to variants one by one, by their external id: what is no renaming of a value for all who bear it. */
  readonly variantValues: ReadonlyMap<string, readonly string[]>;
  /** Where variants that others take the place of wait until those have theirs, by external id. */
  readonly parked: ReadonlyMap<string, readonly string[]>;
}

/**
 * What has to happen to options and values so that `update` holds. An option is known by its name and moves with its values. A value that every variant
 * bearing it gives up for the same new one is renamed in place (swatches and translations stay); anything else is a change of single variants. An option
 * can be added, and never taken away: Shopify would delete variants. `inPlace`: whether values may be renamed. Pure.
 */
export function planOptions(update: Update, inPlace = true): OptionPlan | null {
  const { seen, fields } = update;
  const changed = update.variants.filter((variant) => variant.fields.optionValues !== undefined);
  const parkedBefore = parkedOf(seen);
  if (fields.optionNames === undefined && changed.length === 0 && Object.keys(parkedBefore).length === 0) return null;

  const before = exportOptionNames(seen.fields.optionNames);
  const names = fields.optionNames === undefined ? before : exportOptionNames(fields.optionNames);
  if (names.length < before.length || (names.length === 1 && names[0] === 'Title' && before[0] !== 'Title')) {
    throw refused(
      'optionNames',
      'an option can’t be taken away from a product on Shopify without deleting variants; remove it there',
    );
  }
  const places = placesBefore(before, names.slice(0, before.length));
  const order = places.some((place, index) => place !== index) ? places.map((place) => before[place] ?? '') : null;
  const givenValues = new Map(changed.map((variant) => [variant.externalId, variant.fields.optionValues ?? []]));
  const rows = seen.variants.map(({ externalId: id, fields: { optionValues } }) => {
    const shown = exportOptionValues(optionValues, before).map(({ name }) => name);
    const given = givenValues.get(id);
    const next = given === undefined ? shown : exportOptionValues(given, names).map(({ name }) => name);
    const old = places.map((place) => (parkedBefore[id] ?? shown)[place] ?? '');
    return { id, old, next, isGiven: given !== undefined };
  });
  if (names.length > before.length && rows.some((row) => !row.isGiven)) {
    throw refused('optionValues', 'a new option needs a value for every variant');
  }

  const renames: OptionPlan['renames'][number][] = [];
  places.forEach((place, position) => {
    const moved = rows.map((row) => [row.old[position] ?? '', row.next[position] ?? ''] as const);
    const values = inPlace ? renamedValues(moved) : new Map<string, string>();
    const name = names[position] ?? '';
    if (name !== before[place] || values.size > 0) renames.push({ position, name, values });
  });
  const added = names.slice(before.length).map((name, index) => ({
    name,
    position: before.length + index + 1,
    // Existing variants first get this value; `variantValues` then gives each its own.
    value: rows[0]?.next[before.length + index] ?? '',
  }));
  const moves = rows.flatMap(({ id, old, next }): Move[] => {
    const reached = [
      ...old.map((value, index) => renames.find(({ position }) => position === index)?.values.get(value) ?? value),
      ...added.map(({ value }) => value),
    ];
    return reached.some((value, index) => value !== next[index]) ? [{ id, reached, next }] : [];
  });
  const variantValues = new Map(moves.map(({ id, next }) => [id, next]));
  return { names, order, renames, added, variantValues, parked: parkedIn(moves) };
}

interface Move {
  readonly id: string;
  readonly reached: readonly string[];
  readonly next: readonly string[];
}

/** Those that stand where another one goes: whatever the order, one of a circle would find its place taken. */
function parkedIn(moves: readonly Move[]): Map<string, string[]> {
  const key = (values: readonly string[]) => JSON.stringify(values).toLowerCase();
  const takers = new Map(moves.map(({ id, next }) => [key(next), id]));
  const inTheWay = moves.filter(({ id, reached }) => (takers.get(key(reached)) ?? id) !== id);
  return new Map(
    inTheWay.map(({ id, reached, next }) => {
      const first = reached.findIndex((value, index) => value !== next[index]);
      return [id, reached.map((value, index) => (index === first ? parkValue(value) : value))];
    }),
  );
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
  const { order, renames } = plan;
  if (order === null && renames.length === 0 && plan.added.length === 0) return;
  const { product } = await client.call(OPERATIONS.productOptions, { id: productId }, ProductOptionsAnswer, until());
  if (product === null) throw new ConnectorError('not_found', 'Shopify has no product with this id');
  let options = [...product.options].sort((a, b) => a.position - b.position);
  if (order !== null) {
    const ordered = order.flatMap((name) => options.find((option) => normaliseOptionText(option.name) === name) ?? []);
    if (ordered.length !== options.length) throw optionsHaveChanged();
    options = ordered;
    const variables = { productId, options: options.map(({ id }) => ({ id })) };
    const answer = await client.call(OPERATIONS.productOptionsReorder, variables, ProductOptionsReorderAnswer, until());
    const error = firstUserError(answer.productOptionsReorder.userErrors);
    if (error !== null) throw error;
    progress.isPartlyDone = true;
  }
  for (const { position, name, values } of renames) {
    const option = options[position];
    if (option === undefined) throw optionsHaveChanged();
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

/** Whether it is a value that Shopify does not rename: one of that name is there that no variant bears, or the values are those of a list. */
export function isRenameRefused(error: unknown): boolean {
  if (!(error instanceof ConnectorError) || error.kind !== 'rejected') return false;
  const { platformCode, platformMessage, field } = error.details;
  return platformCode === 'OPTION_VALUE_ALREADY_EXISTS' || (platformMessage !== undefined && field === 'optionValues');
}

function optionsHaveChanged(): ConnectorError {
  return refused('optionNames', 'the options of the product have changed on Shopify');
}
