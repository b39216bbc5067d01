import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  buildASTSchema,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql';
import { OPERATIONS } from './operations.gen.ts';
import { renderOperations } from './render-operations.ts';
import { NEEDED_TOPICS } from './webhook-subscriptions.ts';

const schemaFolder = new URL('../../sandbox/shopify/schema/', import.meta.url);
const sdl = ['admin-2026-10.graphql', 'admin-2026-10-more.graphql']
  .map((name) => readFileSync(new URL(name, schemaFolder), 'utf8'))
  .join('\n');
// assumeValid: Shopify's own schema deprecates an interface field on one implementation only, which graphql-js refuses.
const schema = buildASTSchema(parse(sdl), { assumeValid: true, assumeValidSDL: true });

test('operations.gen.ts is what scripts/generate-operations.ts writes', () => {
  assert.equal(readFileSync(new URL('./operations.gen.ts', import.meta.url), 'utf8'), renderOperations());
});

for (const operation of Object.values(OPERATIONS)) {
  test(`${operation.name} is valid against the official schema of 2026-10`, () => {
    const errors = validate(schema, parse(operation.text)).map((error) => error.message);
    assert.deepEqual(errors, []);
  });
}

test('every topic that we subscribe to exists in the official schema', () => {
  const topics = schema.getType('WebhookSubscriptionTopic');
  assert.ok(topics && 'getValue' in topics);
  for (const topic of Object.keys(NEEDED_TOPICS)) assert.ok(topics.getValue(topic), topic);
});

test('a bulk listing selects the same of a product and a variant as a read by id', () => {
  const fieldsOf = (text: string) => new Set([...text.matchAll(/\b[a-z]\w*\b/gi)].map(([word]) => word));
  const bulk = fieldsOf(OPERATIONS.bulkProducts.text);
  for (const word of fieldsOf(OPERATIONS.productsById.text.replace(/^.*?fragment/, 'fragment'))) {
    if (
      /^(fragment|on|Product|ProductVariant|ProductRow|VariantRow|nodes|pageInfo|hasNextPage|endCursor|locationId|variantsFirst|first)$/.test(
        word,
      )
    )
      continue;
    assert.ok(bulk.has(word), `${word} is missing from bulk-products.graphql`);
  }
});

/** Facts, section 3, with the sizes that we send. One query may cost 1,000 at most; a new one above 100 deserves a second look. */
const EXPECTED_COSTS: Readonly<Record<string, number>> = {
  bulkOperation: 2,
  bulkRunQuery: 10,
  inspect: 5,
  inspectCatalogue: 23,
  levelsChanged: 25,
  locations: 13,
  markDefine: 10,
  marksSet: 10,
  productByIdentifier: 63,
  productOptionUpdate: 10,
  productOptions: 3,
  productOptionsCreate: 10,
  productOptionsReorder: 10,
  productSet: 10,
  productUpdate: 10,
  productsById: 63,
  productsChanged: 14,
  productsListed: 13,
  publications: 32,
  publish: 10,
  shopSetup: 14,
  shopUnits: 1,
  stockActivate: 10,
  stockByItem: 4,
  stockSet: 12,
  variantsByKey: 20,
  variantsCreate: 10,
  variantsPage: 58,
  variantsUpdate: 10,
  webhookCreate: 10,
  webhookDelete: 10,
  webhookUpdate: 10,
  webhooks: 11,
};

test('requested cost of every operation, by the formula fitted to recorded answers', () => {
  const costs = Object.fromEntries(
    Object.entries(OPERATIONS)
      .filter(([key]) => key !== 'bulkProducts') // runs outside of the rate
      .map(([key, operation]) => [key, requestedCost(operation.text, { variantsFirst: 100, first: 250 })]),
  );
  assert.deepEqual(costs, EXPECTED_COSTS);
  for (const [key, cost] of Object.entries(costs)) assert.ok(cost <= 1_000, `${key} costs ${cost}`);
});

const FREE_TYPES = new Set(['PageInfo', 'Weight', 'InventoryItemMeasurement', 'MoneyV2', 'MoneyBag']);

/**
 * Scalars 0, object 1, interface or union the dearest branch, connection 2 + (1 + children) x floor(2 ln first); a mutation 10 with the objects
 * directly under its payload free; a root count 10; at least 1.
 */
function requestedCost(text: string, variables: Readonly<Record<string, number>>): number {
  const document = parse(text);
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  assert.ok(operation);
  const isMutation = operation.operation === 'mutation';
  const root = isMutation ? schema.getMutationType() : schema.getQueryType();
  assert.ok(root);

  const selection = (type: GraphQLNamedType, set: SelectionSetNode | undefined, isPayload = false): number => {
    if (set === undefined) return 0;
    if (isAbstractType(type)) {
      return Math.max(...schema.getPossibleTypes(type).map((possible) => selection(possible, set)));
    }
    if (!isObjectType(type)) return 0;
    let cost = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) cost += field(type, node, isPayload);
      else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (node.typeCondition === undefined || node.typeCondition.name.value === type.name)
          cost += selection(type, node.selectionSet);
      } else {
        const fragment = fragments.get(node.name.value);
        if (fragment?.typeCondition.name.value === type.name) cost += selection(type, fragment.selectionSet);
      }
    }
    return cost;
  };
  const field = (parent: GraphQLNamedType, node: FieldNode, isPayload: boolean): number => {
    const definition = isObjectType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (definition === undefined) return 0;
    const type = getNamedType(definition.type);
    if (isLeafType(type)) return 0;
    if (parent === schema.getQueryType() && node.name.value.endsWith('Count')) return 10;
    if (type.name.endsWith('Connection') && isObjectType(type)) {
      const first = node.arguments?.find((argument) => argument.name.value === 'first')?.value;
      const count =
        first?.kind === Kind.INT
          ? Number(first.value)
          : first?.kind === Kind.VARIABLE
            ? (variables[first.name.value] ?? 0)
            : 0;
      const children = (node.selectionSet?.selections ?? []).reduce((sum, child) => {
        if (child.kind !== Kind.FIELD || child.name.value !== 'nodes') return sum;
        return sum + 1 + selection(getNamedType(type.getFields()['nodes']!.type), child.selectionSet);
      }, 0);
      return 2 + children * Math.floor(2 * Math.log(Math.max(2, count)));
    }
    return (isPayload || FREE_TYPES.has(type.name) ? 0 : 1) + selection(type, node.selectionSet);
  };
  const total = operation.selectionSet.selections.reduce((sum, node) => {
    if (node.kind !== Kind.FIELD) return sum;
    if (!isMutation) return sum + field(root, node, false);
    const payload = getNamedType(root.getFields()[node.name.value]!.type);
    return sum + 10 + selection(payload, node.selectionSet, true);
  }, 0);
  return Math.max(1, total);
}
