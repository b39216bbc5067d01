import { type UserError, userError } from '../graphql/api-error.ts';
import { idOfKind, parseGid } from '../store/ids.ts';
import { addOption, addOptionValue, addVariant, removeVariant } from '../store/product-writes.ts';
import type { OptionRecord, OptionValueRecord, ProductRecord } from '../store/records.ts';
import { hasOnlyDefaultVariant } from '../store/store.ts';
import type { Mutation, MutationContext } from './run-mutation.ts';

const OPTIONS_MAX = 3;
const VARIANTS_MAX = 2_048;
const NAME_MAX = 255;

interface NamedInput {
  readonly id?: string | null;
  readonly name?: string | null;
}

interface OptionCreateInput {
  readonly name?: string | null;
  readonly position?: number | null;
  readonly values?: readonly NamedInput[] | null;
}

function findProduct(ctx: MutationContext, gid: string): ProductRecord | null {
  return ctx.store.products.get(idOfKind('Product', gid)) ?? null;
}

const productMissing = () => [userError(['productId'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST')];

export const productOptionsCreate: Mutation = {
  run(
    args: {
      readonly productId: string;
      readonly options: readonly OptionCreateInput[];
      readonly variantStrategy?: string | null;
    },
    ctx,
  ) {
    const product = findProduct(ctx, args.productId);
    if (!product) return { product: null, userErrors: productMissing() };
    const isDefault = hasOnlyDefaultVariant(product);
    const kept = isDefault ? [] : product.options;
    const userErrors = createErrors(kept, args.options);
    const creates = args.variantStrategy === 'CREATE';
    const grown = args.options.reduce(
      (count, option) => count * Math.max(1, option.values?.length ?? 0),
      product.variants.length,
    );
    if (creates && grown > VARIANTS_MAX)
      userErrors.push(
        userError(
          ['options'],
          `The number of created variants would exceed the ${VARIANTS_MAX} variants per product limit`,
          'TOO_MANY_VARIANTS_CREATED',
        ),
      );
    if (userErrors.length > 0) return { product, userErrors };

    if (isDefault) {
      product.options = [];
      for (const variant of product.variants) variant.values = [];
    }
    for (const input of args.options) {
      const option = addOption(
        ctx.store,
        product,
        input.name ?? '',
        (input.values ?? []).map((value) => value.name ?? ''),
      );
      const [first, ...others] = option.values;
      const existing = [...product.variants];
      // Variants that are there take the first value; CREATE adds the other combinations.
      for (const variant of existing) if (first) variant.values = [...variant.values, first];
      if (!creates) continue;
      for (const value of others) {
        for (const variant of existing) {
          const copy = addVariant(ctx.store, product, [...variant.values.slice(0, -1), value], ctx.now, ctx.changes);
          copy.price = variant.price;
          copy.compareAtPrice = variant.compareAtPrice;
        }
      }
    }
    ctx.changes.productsUpdated.add(product);
    return { product, userErrors: [] };
  },
};

function createErrors(kept: readonly OptionRecord[], inputs: readonly OptionCreateInput[]): UserError[] {
  const errors: UserError[] = [];
  if (kept.length + inputs.length > OPTIONS_MAX)
    errors.push(userError(['options'], `Can only specify a maximum of ${OPTIONS_MAX} options`, 'OPTIONS_OVER_LIMIT'));
  const names = new Set<string>();
  for (const [index, input] of inputs.entries()) {
    const at = ['options', index];
    const name = input.name ?? '';
    if (name.trim() === '')
      errors.push(userError(at, 'Each option must have a name specified.', 'OPTION_NAME_MISSING'));
    if (name.length > NAME_MAX) errors.push(userError(at, 'Option name is too long.', 'OPTION_NAME_TOO_LONG'));
    if (name.includes(' / '))
      errors.push(userError([...at, 'name'], "The name contains unsupported sequence ' / '", 'INVALID_NAME'));
    if (kept.some((option) => option.name.toLowerCase() === name.toLowerCase()))
      errors.push(userError(at, `Option '${name}' already exists.`, 'OPTION_ALREADY_EXISTS'));
    if (names.has(name.toLowerCase())) errors.push(userError(at, 'Duplicated option name.', 'DUPLICATED_OPTION_NAME'));
    names.add(name.toLowerCase());
    const values = (input.values ?? []).map((value) => value.name ?? '');
    if (values.length === 0)
      errors.push(userError(at, `Option '${name}' must specify at least one option value.`, 'OPTION_VALUES_MISSING'));
    if (new Set(values).size < values.length)
      errors.push(userError([...at, 'values'], 'Duplicated option value.', 'DUPLICATED_OPTION_VALUE'));
  }
  return errors;
}

interface OptionUpdateArgs {
  readonly productId: string;
  readonly option: { readonly id: string; readonly name?: string | null; readonly position?: number | null };
  readonly optionValuesToAdd?: readonly NamedInput[] | null;
  readonly optionValuesToUpdate?: readonly NamedInput[] | null;
  readonly optionValuesToDelete?: readonly string[] | null;
  readonly variantStrategy?: 'LEAVE_AS_IS' | 'MANAGE' | null;
}

export const productOptionUpdate: Mutation = {
  run(args: OptionUpdateArgs, ctx) {
    const product = findProduct(ctx, args.productId);
    if (!product) return { product: null, userErrors: productMissing() };
    const option = product.options.find((candidate) => candidate.id === parseGid(args.option.id)?.id);
    if (!option)
      return { product, userErrors: [userError(['option'], 'Option does not exist', 'OPTION_DOES_NOT_EXIST')] };
    const userErrors = updateErrors(product, option, args);
    if (userErrors.length > 0) return { product, userErrors };

    if (args.option.name) option.name = args.option.name;
    for (const input of args.optionValuesToUpdate ?? []) {
      const value = findValue(option, input.id);
      if (value && input.name) value.name = input.name;
    }
    const gone = new Set((args.optionValuesToDelete ?? []).flatMap((gid) => findValue(option, gid) ?? []));
    option.values = option.values.filter((value) => !gone.has(value));
    for (const variant of [...product.variants])
      if (variant.values.some((value) => gone.has(value))) removeVariant(ctx.store, variant, ctx.changes);
    const position = product.options.indexOf(option);
    for (const input of args.optionValuesToAdd ?? []) {
      const value = addOptionValue(ctx.store, option, input.name ?? '');
      if (args.variantStrategy === 'MANAGE') addCombinations(ctx, product, position, value);
    }
    if (args.option.position) moveOption(product, position, args.option.position - 1);
    ctx.changes.productsUpdated.add(product);
    return { product, userErrors: [] };
  },
};

function findValue(option: OptionRecord, gid: string | null | undefined): OptionValueRecord | undefined {
  return option.values.find((value) => value.id === parseGid(gid ?? '')?.id);
}

function updateErrors(product: ProductRecord, option: OptionRecord, args: OptionUpdateArgs): UserError[] {
  const errors: UserError[] = [];
  const { name, position } = args.option;
  if (name?.includes(' / '))
    errors.push(userError(['option', 'name'], "The name contains unsupported sequence ' / '", 'INVALID_NAME'));
  if ((name?.length ?? 0) > NAME_MAX)
    errors.push(userError(['option', 'name'], 'Option name is too long.', 'OPTION_NAME_TOO_LONG'));
  if (name && product.options.some((other) => other !== option && other.name.toLowerCase() === name.toLowerCase())) {
    errors.push(userError(['option', 'name'], `Option '${name}' already exists.`, 'OPTION_ALREADY_EXISTS'));
  }
  if (position !== undefined && position !== null && (position < 1 || position > product.options.length))
    errors.push(userError(['option', 'position'], 'Invalid option position.', 'INVALID_POSITION'));
  for (const [index, input] of (args.optionValuesToAdd ?? []).entries()) {
    if (option.values.some((value) => value.name === input.name))
      errors.push(
        userError(
          ['optionValuesToAdd', index],
          `Option value '${input.name}' already exists.`,
          'OPTION_VALUE_ALREADY_EXISTS',
        ),
      );
  }
  for (const [index, input] of (args.optionValuesToUpdate ?? []).entries()) {
    if (!findValue(option, input.id))
      errors.push(
        userError(['optionValuesToUpdate', index], 'Option value does not exist', 'OPTION_VALUE_DOES_NOT_EXIST'),
      );
    const isRenamedToo = (value: OptionValueRecord) =>
      args.optionValuesToUpdate?.some((other) => other.name && findValue(option, other.id) === value);
    if (option.values.some((value) => value.name === input.name && !isRenamedToo(value)))
      errors.push(
        userError(
          ['optionValuesToUpdate', index],
          `Option value '${input.name}' already exists.`,
          'OPTION_VALUE_ALREADY_EXISTS',
        ),
      );
  }
  const deleted = args.optionValuesToDelete ?? [];
  for (const [index, gid] of deleted.entries()) {
    const value = findValue(option, gid);
    if (!value)
      errors.push(
        userError(['optionValuesToDelete', index], 'Option value does not exist', 'OPTION_VALUE_DOES_NOT_EXIST'),
      );
    // Only MANAGE may take variants away with a value.
    else if (args.variantStrategy !== 'MANAGE' && product.variants.some((variant) => variant.values.includes(value))) {
      errors.push(
        userError(
          ['optionValuesToDelete', index],
          'Cannot delete option value that has variants.',
          'OPTION_VALUE_HAS_VARIANTS',
        ),
      );
    }
  }
  if (deleted.length > 0 && deleted.length === option.values.length && !args.optionValuesToAdd?.length) {
    errors.push(
      userError(
        ['optionValuesToDelete'],
        'Cannot delete all option values in an option.',
        'CANNOT_DELETE_ALL_OPTION_VALUES_IN_OPTION',
      ),
    );
  }
  return errors;
}

/** One new variant for every combination of the other options that is already there. */
function addCombinations(
  ctx: MutationContext,
  product: ProductRecord,
  position: number,
  value: OptionValueRecord,
): void {
  const seen = new Set<string>();
  for (const variant of [...product.variants]) {
    const values = variant.values.map((known, index) => (index === position ? value : known));
    const key = values.map((known) => known.id).join(',');
    if (!seen.has(key)) addVariant(ctx.store, product, values, ctx.now, ctx.changes);
    seen.add(key);
  }
}

function moveOption(product: ProductRecord, from: number, to: number): void {
  const move = <T>(list: readonly T[]): T[] => {
    const rest = list.filter((_, index) => index !== from);
    const moved = list.slice(from, from + 1);
    return [...rest.slice(0, to), ...moved, ...rest.slice(to)];
  };
  product.options = move(product.options);
  for (const variant of product.variants) variant.values = move(variant.values);
}

export const productOptionsReorder: Mutation = {
  run(
    args: {
      readonly productId: string;
      readonly options: readonly (NamedInput & { readonly values?: readonly NamedInput[] | null })[];
    },
    ctx,
  ) {
    const product = findProduct(ctx, args.productId);
    if (!product) return { product: null, userErrors: productMissing() };
    const order: OptionRecord[] = [];
    for (const input of args.options) {
      const option = product.options.find((candidate) =>
        input.id ? candidate.id === parseGid(input.id)?.id : candidate.name === input.name,
      );
      if (!option) {
        const error = input.id
          ? userError(['options'], `Option id '${parseGid(input.id)?.id}' does not exist.`, 'OPTION_ID_DOES_NOT_EXIST')
          : userError(['options'], `Option name '${input.name}' does not exist.`, 'OPTION_NAME_DOES_NOT_EXIST');
        return { product, userErrors: [error] };
      }
      order.push(option);
    }
    const all = [...order, ...product.options.filter((option) => !order.includes(option))];
    const indexes = all.map((option) => product.options.indexOf(option));
    for (const [index, input] of args.options.entries()) reorderValues(order[index], input.values ?? []);
    for (const variant of product.variants) variant.values = indexes.flatMap((index) => variant.values[index] ?? []);
    product.options = all;
    ctx.changes.productsUpdated.add(product);
    return { product, userErrors: [] };
  },
};

function reorderValues(option: OptionRecord | undefined, inputs: readonly NamedInput[]): void {
  if (!option) return;
  const first = inputs.flatMap(
    (input) =>
      option.values.find((value) => (input.id ? value.id === parseGid(input.id)?.id : value.name === input.name)) ?? [],
  );
  option.values = [...first, ...option.values.filter((value) => !first.includes(value))];
}
