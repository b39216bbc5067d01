import {
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

const GID_PATTERN = /^gid:\/\/[a-z][\w-]*\/[A-Za-z]\w*\/[^/\s]+$/;

export function isGid(value: unknown): boolean {
  return typeof value === 'string' && GID_PATTERN.test(value);
}

/** Every ID in the Admin API is a global id; anything else is refused before execution. Answers the arguments that hold a wrong literal. */
export function invalidGidLiterals(schema: GraphQLSchema, document: DocumentNode): { node: ASTNode; value: string }[] {
  const found: { node: ASTNode; value: string }[] = [];
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      enter(node) {
        if (node.kind !== Kind.STRING && node.kind !== Kind.INT) return;
        const type = typeInfo.getInputType();
        if (type && getNamedType(type).name === 'ID' && !isGid(node.value)) found.push({ node, value: node.value });
      },
    }),
  );
  return found;
}
