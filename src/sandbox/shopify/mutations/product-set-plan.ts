import { type UserError, userError } from '../graphql/api-error.ts';
import { parseGid } from '../store/ids.ts';
import type { OptionRecord, OptionValueRecord, ProductRecord, VariantRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { metafieldErrors, type ProductFieldsInput } from './product-input.ts';
import { type OptionValueInput, type VariantInput, variantFieldErrors } from './variant-input.ts';

/** productSet decides everything before it changes anything: options and variants as they would be, or the errors. */

const OPTIONS_MAX = 3;
const QUANTITIES_MAX = 50_000;
const NAME_MAX = 255;

export interface OptionSetInput {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly position?: number | null;
  readonly values?: readonly { readonly id?: string | null; readonly name?: string | null }[] | null;
}

export interface SetQuantityInput {
  readonly locationId: string;
  readonly name: string;
  readonly quantity: number;
}

export interface VariantSetInput extends VariantInput {
  readonly optionValues: readonly OptionValueInput[];
  readonly inventoryQuantities?: readonly SetQuantityInput[] | null;
  readonly position?: number | null;
  readonly file?: {
    readonly id?: string | null;
    readonly originalSource?: string | null;
    readonly alt?: string | null;
  } | null;
}

export interface ProductSetInput extends ProductFieldsInput {
  readonly id?: string | null;
  readonly productOptions?: readonly OptionSetInput[] | null;
  readonly variants?: readonly VariantSetInput[] | null;
  readonly collections?: readonly string[] | null;
  readonly files?:
    | readonly { readonly id?: string | null; readonly originalSource?: string | null; readonly alt?: string | null }[]
    | null;
}

export interface PlannedValue {
  readonly existing: OptionValueRecord | null;
  readonly name: string;
}

export interface PlannedOption {
  readonly existing: OptionRecord | null;
  readonly name: string;
  readonly values: PlannedValue[];
}

export interface PlannedVariant {
  readonly existing: VariantRecord | null;
  readonly input: VariantSetInput;
  readonly values: PlannedValue[];
}

export interface SetPlan {
  readonly options: PlannedOption[];
  readonly variants: PlannedVariant[];
}

export function planVariants(
  store: Store,
  product: ProductRecord | null,
  input: ProductSetInput,
): SetPlan | UserError[] | null {
  if (!input.productOptions && !input.variants) return null;
  if (!input.variants || input.variants.length === 0) {
    return [
      userError(
        ['input', 'variants'],
        'Variants input is required when updating product options',
        'VARIANTS_INPUT_MISSING',
      ),
    ];
  }
  if (!input.productOptions) {
    return [
      userError(
        ['input', 'productOptions'],
        'Product options input is required when updating variants',
        'PRODUCT_OPTIONS_INPUT_MISSING',
      ),
    ];
  }
  const options = planOptions(product, input.productOptions);
  if (options.errors.length > 0) return options.errors;
  const errors: UserError[] = [];
  const seen = new Set<string>();
  const variants: PlannedVariant[] = [];
  let quantities = 0;
  for (const [index, variant] of input.variants.entries()) {
    const at = ['input', 'variants', index];
    const values = resolveValues(options.planned, variant.optionValues, at, errors);
    errors.push(...variantFieldErrors(variant, at, 'INVALID_VARIANT'));
    if (!values) continue;
    const title = values.map((value) => value.name).join(' / ');
    if (seen.has(title)) {
      errors.push(
        userError(
          at,
          `The variant '${title}' already exists. Please change at least one option value.`,
          'INVALID_VARIANT',
        ),
      );
      continue;
    }
    seen.add(title);
    const existing = matchVariant(product, variant, values, options.planned);
    if (existing === undefined) {
      errors.push(userError([...at, 'id'], 'Product variant does not exist', 'PRODUCT_VARIANT_DOES_NOT_EXIST'));
      continue;
    }
    const owner = existing ? `gid://shopify/ProductVariant/${existing.id}` : 'gid://shopify/ProductVariant/0';
    errors.push(...metafieldErrors(store, owner, variant.metafields, [...at, 'metafields'], 'INVALID_METAFIELD'));
    quantities += variant.inventoryQuantities?.length ?? 0;
    errors.push(...quantityErrors(store, existing, variant, title, at));
    variants.push({ existing, input: variant, values });
  }
  if (quantities > QUANTITIES_MAX) {
    errors.push(
      userError(
        ['input', 'variants'],
        `Inventory quantity input exceeds the limit of ${QUANTITIES_MAX}. Consider using separate \`inventorySetQuantities\` mutations.`,
        'INVENTORY_QUANTITIES_LIMIT_EXCEEDED',
      ),
    );
  }
  if (errors.length > 0) return errors;
  const ordered = variants.some((variant) => variant.input.position)
    ? [...variants].sort((left, right) => (left.input.position ?? Infinity) - (right.input.position ?? Infinity))
    : variants;
  return { options: options.planned, variants: ordered };
}

function planOptions(
  product: ProductRecord | null,
  inputs: readonly OptionSetInput[],
): { planned: PlannedOption[]; errors: UserError[] } {
  const errors: UserError[] = [];
  const planned: PlannedOption[] = [];
  if (inputs.length > OPTIONS_MAX)
    errors.push(
      userError(
        ['input', 'productOptions'],
        `Can only specify a maximum of ${OPTIONS_MAX} options`,
        'OPTIONS_OVER_LIMIT',
      ),
    );
  const names = new Set<string>();
  const ordered = [...inputs.entries()].sort(([, left], [, right]) => (left.position ?? 0) - (right.position ?? 0));
  for (const [index, input] of ordered) {
    const at = ['input', 'productOptions', index];
    const existing =
      product?.options.find((option) =>
        input.id ? option.id === parseGid(input.id)?.id : option.name === input.name,
      ) ?? null;
    if (input.id && !existing) {
      errors.push(userError([...at, 'id'], 'Option does not exist', 'OPTION_DOES_NOT_EXIST'));
      continue;
    }
    const name = input.name ?? existing?.name ?? '';
    if (name.trim() === '') errors.push(userError([...at, 'name'], "Option name can't be blank", 'INVALID_INPUT'));
    if (name.includes(' / '))
      errors.push(userError([...at, 'name'], "The name contains unsupported sequence ' / '", 'INVALID_INPUT'));
    if (name.length > NAME_MAX) errors.push(userError([...at, 'name'], 'Option name is too long.', 'INVALID_INPUT'));
    if (names.has(name.toLowerCase())) errors.push(userError(at, 'Duplicated option name.', 'DUPLICATED_OPTION_NAME'));
    names.add(name.toLowerCase());
    if (!input.values || input.values.length === 0)
      errors.push(
        userError(
          [...at, 'values'],
          `Option '${name}' must specify at least one option value.`,
          'OPTION_VALUES_MISSING',
        ),
      );
    const values: PlannedValue[] = [];
    for (const [valueIndex, value] of (input.values ?? []).entries()) {
      const existingValue =
        existing?.values.find((candidate) =>
          value.id ? candidate.id === parseGid(value.id)?.id : candidate.name === value.name,
        ) ?? null;
      if (value.id && !existingValue) {
        errors.push(
          userError([...at, 'values', valueIndex], 'Option value does not exist', 'OPTION_VALUE_DOES_NOT_EXIST'),
        );
        continue;
      }
      const valueName = value.name ?? existingValue?.name ?? '';
      if (valueName.length > NAME_MAX)
        errors.push(userError([...at, 'values', valueIndex], 'Option value name is too long.', 'INVALID_INPUT'));
      if (values.some((known) => known.name === valueName))
        errors.push(userError([...at, 'values', valueIndex], 'Duplicated option value.', 'DUPLICATED_OPTION_VALUE'));
      values.push({ existing: existingValue, name: valueName });
    }
    planned.push({ existing, name, values });
  }
  return { planned, errors };
}

function resolveValues(
  options: readonly PlannedOption[],
  inputs: readonly OptionValueInput[],
  at: readonly (string | number)[],
  errors: UserError[],
): PlannedValue[] | null {
  const before = errors.length;
  const chosen = new Map<PlannedOption, PlannedValue>();
  for (const [index, input] of inputs.entries()) {
    const option = options.find((candidate) =>
      input.optionId ? candidate.existing?.id === parseGid(input.optionId)?.id : candidate.name === input.optionName,
    );
    if (!option) {
      errors.push(userError([...at, 'optionValues', index], 'Option does not exist', 'OPTION_DOES_NOT_EXIST'));
      continue;
    }
    if (chosen.has(option))
      errors.push(userError([...at, 'optionValues'], `Duplicated option name '${option.name}'`, 'INVALID_VARIANT'));
    const value = option.values.find((candidate) =>
      input.id ? candidate.existing?.id === parseGid(input.id)?.id : candidate.name === input.name,
    );
    if (value) chosen.set(option, value);
    else
      errors.push(
        userError([...at, 'optionValues', index], 'Option value does not exist', 'OPTION_VALUE_DOES_NOT_EXIST'),
      );
  }
  if (errors.length > before) return null;
  for (const option of options) {
    if (!chosen.has(option))
      errors.push(userError(at, `You need to add option values for ${option.name}`, 'INVALID_VARIANT'));
  }
  return errors.length > before ? null : options.flatMap((option) => chosen.get(option) ?? []);
}

/** By id, else by the same option values; null: a new one; undefined: the id is wrong. */
function matchVariant(
  product: ProductRecord | null,
  input: VariantSetInput,
  values: readonly PlannedValue[],
  options: readonly PlannedOption[],
): VariantRecord | null | undefined {
  if (input.id) return product?.variants.find((variant) => variant.id === parseGid(input.id ?? '')?.id);
  if (!product || options.some((option) => !option.existing) || values.some((value) => !value.existing)) return null;
  return (
    product.variants.find((variant) =>
      values.every((value) => value.existing !== null && variant.values.includes(value.existing)),
    ) ?? null
  );
}

function quantityErrors(
  store: Store,
  existing: VariantRecord | null,
  variant: VariantSetInput,
  title: string,
  at: readonly (string | number)[],
): UserError[] {
  return (variant.inventoryQuantities ?? []).flatMap((quantity) => {
    const field = [...at, 'inventoryQuantities'];
    if (quantity.name !== 'available' && quantity.name !== 'on_hand')
      return [userError(field, "The quantity name must be either 'available' or 'on_hand'.", 'INVALID_INPUT')];
    const location = store.locations.get(parseGid(quantity.locationId)?.id ?? 0);
    if (!location?.isActive)
      return [
        userError(field, `Quantity for ${title} couldn't be set because the location was deleted.`, 'INVALID_VARIANT'),
      ];
    // Quantities of a variant that exists can be set only where it is stocked (schema text).
    if (existing && !existing.item.levels.some((level) => level.isActive && level.location === location)) {
      return [
        userError(
          field,
          `Quantity for ${title} couldn't be set because it isn't stocked at ${location.name}.`,
          'INVALID_VARIANT',
        ),
      ];
    }
    return Math.abs(quantity.quantity) > 1_000_000_000
      ? [userError(field, "The quantity can't be higher than 1,000,000,000.", 'INVALID_INPUT')]
      : [];
  });
}
