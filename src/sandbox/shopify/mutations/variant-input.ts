import { type UserError, userError } from '../graphql/api-error.ts';
import { centsOf, moneyBound, moneyText } from '../store/money.ts';
import type { InventoryPolicy, ItemRecord, VariantRecord, WeightUnit } from '../store/records.ts';
import { type Store, setSku } from '../store/store.ts';
import type { MetafieldInput } from './product-input.ts';

/** The fields of a variant and of its inventory item, as productSet, the bulk mutations and inventoryItemUpdate take them. */

const TEXT_MAX = 255;
const MONEY_TOO_HIGH = 'must be less than 1000000000000000000';

export interface ItemInput {
  readonly sku?: string | null;
  readonly cost?: string | null;
  readonly tracked?: boolean | null;
  readonly requiresShipping?: boolean | null;
  readonly countryCodeOfOrigin?: string | null;
  readonly provinceCodeOfOrigin?: string | null;
  readonly harmonizedSystemCode?: string | null;
  readonly measurement?: { readonly weight?: { readonly unit: WeightUnit; readonly value: number } | null } | null;
}

export interface OptionValueInput {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly optionId?: string | null;
  readonly optionName?: string | null;
}

export interface VariantInput {
  readonly id?: string | null;
  readonly sku?: string | null;
  readonly barcode?: string | null;
  readonly price?: string | null;
  readonly compareAtPrice?: string | null;
  readonly taxable?: boolean | null;
  readonly inventoryPolicy?: InventoryPolicy | null;
  readonly inventoryItem?: ItemInput | null;
  readonly optionValues?: readonly OptionValueInput[] | null;
  readonly metafields?: readonly MetafieldInput[] | null;
  readonly mediaId?: string | null;
}

/** `code` is what the mutation uses for all of these, or null to tell bounds apart as the bulk mutations do. */
export function variantFieldErrors(
  input: VariantInput,
  field: readonly (string | number)[],
  code: string | null,
): UserError[] {
  const errors: UserError[] = [];
  const money = (name: 'price' | 'compareAtPrice', label: string) => {
    const value = input[name];
    const bound = value === undefined || value === null ? null : moneyBound(value);
    if (bound === 'negative')
      errors.push(
        userError([...field, name], `${label} must be greater than or equal to 0`, code ?? 'GREATER_THAN_OR_EQUAL_TO'),
      );
    if (bound === 'too_high') errors.push(userError([...field, name], MONEY_TOO_HIGH, code ?? 'INVALID_INPUT'));
  };
  money('compareAtPrice', 'Compare at price');
  money('price', 'Price');
  const cost = input.inventoryItem?.cost;
  const bound = cost === undefined || cost === null ? null : moneyBound(cost);
  if (bound === 'negative')
    errors.push(
      userError(
        [...field, 'inventoryItem', 'cost'],
        'Cost per item must be greater than or equal to 0',
        code ?? 'GREATER_THAN_OR_EQUAL_TO',
      ),
    );
  if (bound === 'too_high')
    errors.push(
      userError([...field, 'inventoryItem', 'cost'], `Cost per item ${MONEY_TOO_HIGH}`, code ?? 'INVALID_INPUT'),
    );
  const sku = input.sku ?? input.inventoryItem?.sku ?? '';
  if (sku.length > TEXT_MAX)
    errors.push(userError([...field], `SKU is too long (maximum is ${TEXT_MAX} characters)`, code ?? 'INVALID_INPUT'));
  if ((input.barcode?.length ?? 0) > TEXT_MAX)
    errors.push(
      userError(
        [...field, 'barcode'],
        `Barcode is too long (maximum is ${TEXT_MAX} characters)`,
        code ?? 'INVALID_INPUT',
      ),
    );
  const weight = input.inventoryItem?.measurement?.weight;
  if (weight && weight.value < 0)
    errors.push(
      userError(
        [...field, 'inventoryItem', 'measurement', 'weight'],
        'Weight must be greater than or equal to 0',
        code ?? 'INVALID_INPUT',
      ),
    );
  return errors;
}

/** Omitted fields stay; null clears what can be empty. */
export function applyVariantFields(store: Store, variant: VariantRecord, input: VariantInput): void {
  if (input.price !== undefined) variant.price = moneyText(input.price ?? '0');
  if (input.compareAtPrice !== undefined)
    variant.compareAtPrice = input.compareAtPrice === null ? null : moneyText(input.compareAtPrice);
  if (input.barcode !== undefined) variant.barcode = input.barcode;
  if (input.taxable !== undefined && input.taxable !== null) variant.taxable = input.taxable;
  if (input.inventoryPolicy !== undefined && input.inventoryPolicy !== null)
    variant.inventoryPolicy = input.inventoryPolicy;
  if (input.sku !== undefined) setSku(store, variant.item, input.sku);
  if (input.inventoryItem) applyItemFields(store, variant.item, input.inventoryItem);
}

export function applyItemFields(store: Store, item: ItemRecord, input: ItemInput): void {
  if (input.sku !== undefined) setSku(store, item, input.sku);
  if (input.cost !== undefined) item.cost = input.cost === null ? null : moneyText(input.cost);
  if (input.tracked !== undefined && input.tracked !== null) item.tracked = input.tracked;
  if (input.requiresShipping !== undefined && input.requiresShipping !== null)
    item.requiresShipping = input.requiresShipping;
  if (input.countryCodeOfOrigin !== undefined) item.countryCodeOfOrigin = input.countryCodeOfOrigin;
  if (input.provinceCodeOfOrigin !== undefined) item.provinceCodeOfOrigin = input.provinceCodeOfOrigin;
  if (input.harmonizedSystemCode !== undefined) item.harmonizedSystemCode = input.harmonizedSystemCode;
  if (input.measurement?.weight) item.weight = { ...input.measurement.weight };
}

export function itemFieldErrors(input: ItemInput): UserError[] {
  const errors: UserError[] = [];
  if (input.cost !== undefined && input.cost !== null && centsOf(input.cost) < 0n) {
    errors.push(userError(['input', 'cost'], 'Cost must be greater than or equal to 0'));
  }
  const weight = input.measurement?.weight;
  if (weight && weight.value < 0) {
    errors.push(
      userError(
        ['input', 'measurement', 'weight'],
        `Measurement weight value ${weight.value} ${weightWord(weight.unit)} must be >= 0 ${weightWord(weight.unit)}`,
      ),
    );
  }
  const code = input.harmonizedSystemCode;
  if (code !== undefined && code !== null && !/^\d{6,13}$/.test(code)) {
    errors.push(
      userError(
        ['input', 'harmonizedSystemCode'],
        'Harmonized system code must be a number between six and thirteen digits',
      ),
    );
  }
  return errors;
}

function weightWord(unit: WeightUnit): string {
  return { GRAMS: 'g', KILOGRAMS: 'kg', OUNCES: 'oz', POUNDS: 'lb' }[unit];
}
