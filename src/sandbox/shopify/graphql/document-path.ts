import { type ASTNode, type DocumentNode, getLocation, Kind } from 'graphql';
import type { WireError } from './answer.ts';

/** Where in a document something stands. */

export function nearest(
  node: ASTNode,
  parents: ReadonlyMap<ASTNode, ASTNode>,
  wanted: (node: ASTNode) => boolean,
): ASTNode | undefined {
  let current: ASTNode | undefined = node;
  while (current && !wanted(current)) current = parents.get(current);
  return current;
}

export function locate(node: ASTNode | undefined): Pick<WireError, 'locations'> {
  if (!node?.loc) return {};
  const { line, column } = getLocation(node.loc.source, node.loc.start);
  return { locations: [{ line, column }] };
}

export function parentsOf(document: DocumentNode): Map<ASTNode, ASTNode> {
  const parents = new Map<ASTNode, ASTNode>();
  const walk = (node: ASTNode) => {
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child !== 'object' || child === null || !('kind' in child) || typeof child.kind !== 'string')
          continue;
        parents.set(child, node);
        walk(child);
      }
    }
  };
  walk(document);
  return parents;
}

/** `["query Name", "product", "... on Product", "title"]`: the way graphql-ruby says where. */
export function pathTo(node: ASTNode, parents: ReadonlyMap<ASTNode, ASTNode>): string[] {
  const path: string[] = [];
  for (let current: ASTNode | undefined = node; current; current = parents.get(current)) {
    if (current.kind === Kind.FIELD) path.unshift(current.alias?.value ?? current.name.value);
    else if (current.kind === Kind.ARGUMENT || current.kind === Kind.OBJECT_FIELD) path.unshift(current.name.value);
    else if (current.kind === Kind.INLINE_FRAGMENT)
      path.unshift(current.typeCondition ? `... on ${current.typeCondition.name.value}` : '...');
    else if (current.kind === Kind.FRAGMENT_DEFINITION) path.unshift(`fragment ${current.name.value}`);
    else if (current.kind === Kind.OPERATION_DEFINITION)
      path.unshift(current.name ? `${current.operation} ${current.name.value}` : current.operation);
  }
  return path;
}
