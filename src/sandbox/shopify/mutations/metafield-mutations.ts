import { type UserError, userError } from '../graphql/api-error.ts';
import {
  compareDigestOf,
  deleteMetafield,
  findDefinition,
  findMetafield,
  metafieldProblem,
  resolveNamespace,
  writeMetafield,
} from '../store/metafields.ts';
import type { MetafieldDefinitionRecord } from '../store/records.ts';
import { ownerExists, requireOwnerScope, touchOwner } from './owner.ts';
import type { Mutation, MutationContext } from './run-mutation.ts';

const SET_MAX = 25;
const DEFINITIONS_MAX = 256;

interface SetInput {
  readonly ownerId: string;
  readonly namespace?: string | null;
  readonly key: string;
  readonly type?: string | null;
  readonly value: string;
  readonly compareDigest?: string | null;
}

const setError = (field: readonly (string | number)[] | null, message: string, code: string) => ({
  ...userError(field, message, code),
  elementIndex: null,
});

/** All or nothing; `compareDigest` null means "create only" (facts, section 7). */
export const metafieldsSet: Mutation = {
  run(args: { readonly metafields: readonly SetInput[] }, ctx) {
    const { store } = ctx;
    if (args.metafields.length > SET_MAX) {
      return {
        metafields: null,
        userErrors: [
          setError(
            ['metafields'],
            `Exceeded the maximum metafields input limit of ${SET_MAX}.`,
            'LESS_THAN_OR_EQUAL_TO',
          ),
        ],
      };
    }
    const writes = args.metafields.map((input) => ({
      input,
      write: {
        ownerGid: input.ownerId,
        namespace: resolveNamespace(store, input.namespace),
        key: input.key,
        type: input.type ?? null,
        value: input.value,
      },
    }));
    const userErrors = writes.flatMap(({ input, write }, index) => {
      requireOwnerScope(ctx, 'metafieldsSet', input.ownerId);
      const at = ['metafields', index];
      if (!ownerExists(ctx, input.ownerId)) return [setError([...at, 'ownerId'], 'Owner does not exist.', 'INVALID')];
      const problem = metafieldProblem(store, write);
      if (problem)
        return [setError([...at, ...(problem.at === null ? [] : [problem.at])], problem.message, problem.code)];
      if (!('compareDigest' in input)) return [];
      const known = findMetafield(store, write.ownerGid, write.namespace, write.key);
      // The same value passes whatever the digest says.
      if (known?.value === write.value) return [];
      if (!known && input.compareDigest)
        return [setError(at, 'The compareDigest value is invalid.', 'INVALID_COMPARE_DIGEST')];
      if (known && input.compareDigest !== compareDigestOf(known)) {
        return [
          setError(
            at,
            'The resource has been updated since it was loaded. Try again with an updated `compareDigest` value.',
            'STALE_OBJECT',
          ),
        ];
      }
      return [];
    });
    if (userErrors.length > 0) return { metafields: null, userErrors };
    const metafields = writes.map(({ write }) => {
      const { metafield, changed } = writeMetafield(store, write, ctx.now);
      if (changed) touchOwner(ctx, write.ownerGid);
      return metafield;
    });
    return { metafields, userErrors: [] };
  },
};

export const metafieldsDelete: Mutation = {
  run(
    args: {
      readonly metafields: readonly { readonly ownerId: string; readonly namespace: string; readonly key: string }[];
    },
    ctx,
  ) {
    const deletedMetafields = args.metafields.map((input) => {
      requireOwnerScope(ctx, 'metafieldsDelete', input.ownerId);
      const namespace = resolveNamespace(ctx.store, input.namespace);
      const known = findMetafield(ctx.store, input.ownerId, namespace, input.key);
      if (!known) return null;
      deleteMetafield(ctx.store, known);
      touchOwner(ctx, input.ownerId);
      return { ownerId: input.ownerId, namespace, key: input.key };
    });
    return { deletedMetafields, userErrors: [] };
  },
};

interface DefinitionInput {
  readonly name: string;
  readonly description?: string | null;
  readonly namespace?: string | null;
  readonly key: string;
  readonly ownerType: string;
  readonly type: string;
  readonly capabilities?: { readonly uniqueValues?: { readonly enabled: boolean } | null } | null;
}

const UNIQUE_TYPES = new Set(['id', 'single_line_text_field', 'number_integer', 'url']);
const TYPES = [
  ...[
    'boolean',
    'color',
    'date',
    'date_time',
    'dimension',
    'id',
    'json',
    'link',
    'money',
    'multi_line_text_field',
    'number_decimal',
    'number_integer',
  ],
  ...[
    'rating',
    'rich_text_field',
    'single_line_text_field',
    'url',
    'volume',
    'weight',
    'product_reference',
    'variant_reference',
    'file_reference',
    'collection_reference',
  ],
];

export const metafieldDefinitionCreate: Mutation = {
  run(args: { readonly definition: DefinitionInput }, ctx) {
    const { definition: input } = args;
    const namespace = resolveNamespace(ctx.store, input.namespace);
    const userErrors = definitionErrors(ctx, input, namespace);
    if (userErrors.length > 0) return { createdDefinition: null, userErrors };
    const definition: MetafieldDefinitionRecord = {
      type: 'MetafieldDefinition',
      id: ctx.store.newId('MetafieldDefinition'),
      ownerType: input.ownerType,
      namespace,
      key: input.key,
      name: input.name,
      description: input.description ?? null,
      valueType: input.type,
      // Type id is unique by nature.
      hasUniqueValues: input.type === 'id' || input.capabilities?.uniqueValues?.enabled === true,
    };
    ctx.store.definitions.set(definition.id, definition);
    return { createdDefinition: definition, userErrors: [] };
  },
};

function definitionErrors(ctx: MutationContext, input: DefinitionInput, namespace: string): UserError[] {
  const errors: UserError[] = [];
  if (namespace.length < 3)
    errors.push(
      userError(['definition', 'namespace'], 'Namespace is too short (minimum is 3 characters)', 'TOO_SHORT'),
    );
  if (namespace.length > 255)
    errors.push(
      userError(['definition', 'namespace'], 'Namespace is too long (maximum is 255 characters)', 'TOO_LONG'),
    );
  if (input.key.length < 2)
    errors.push(userError(['definition', 'key'], 'Key is too short (minimum is 2 characters)', 'TOO_SHORT'));
  if (input.key.length > 64)
    errors.push(userError(['definition', 'key'], 'Key is too long (maximum is 64 characters)', 'TOO_LONG'));
  if (input.name.length > 255)
    errors.push(userError(['definition', 'name'], 'Name is too long (maximum is 255 characters)', 'TOO_LONG'));
  const bareType = input.type.replace(/^list\./, '');
  if (!TYPES.includes(bareType)) {
    errors.push(
      userError(
        ['definition', 'type'],
        `Type name ${input.type} is not a valid type. Valid types are: ${TYPES.join(', ')}.`,
        'INCLUSION',
      ),
    );
  }
  const unique = input.capabilities?.uniqueValues?.enabled;
  if (input.type === 'id' && unique === false)
    errors.push(
      userError(
        ['definition'],
        'The capability unique_values is required for this definition.',
        'CAPABILITY_REQUIRED_BUT_DISABLED',
      ),
    );
  if (unique === true && !UNIQUE_TYPES.has(input.type))
    errors.push(
      userError(['definition'], 'The capability unique_values is not valid for this definition.', 'INVALID_CAPABILITY'),
    );
  if (findDefinition(ctx.store, input.ownerType, namespace, input.key)) {
    const owner =
      input.ownerType === 'PRODUCT'
        ? 'Product'
        : input.ownerType === 'PRODUCTVARIANT'
          ? 'ProductVariant'
          : input.ownerType;
    errors.push(
      userError(
        ['definition', 'key'],
        `Key is in use for ${owner} metafields on the '${namespace}' namespace.`,
        'TAKEN',
      ),
    );
  }
  const count = [...ctx.store.definitions.values()].filter(
    (definition) => definition.ownerType === input.ownerType,
  ).length;
  if (count >= DEFINITIONS_MAX)
    errors.push(
      userError(
        ['definition'],
        `Stores can only have ${DEFINITIONS_MAX} definitions for each store resource.`,
        'RESOURCE_TYPE_LIMIT_EXCEEDED',
      ),
    );
  return errors;
}
