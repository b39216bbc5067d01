import {
  type ASTNode,
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  type GraphQLError,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownTypeNamesRule,
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
  ProvidedRequiredArgumentsRule,
  print,
  ScalarLeafsRule,
  specifiedRules,
  TypeInfo,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesInAllowedPositionRule,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { WireError } from './answer.ts';
import { locate, nearest, parentsOf, pathTo } from './document-path.ts';
import { invalidGidLiterals } from './gid-literals.ts';

/**
 * Static validation in graphql-ruby's words, which is what the real API answers with. graphql-js finds the mistakes, rule by rule,
 * so that we know which rule spoke; the wording and the `extensions` are then Shopify's (facts, section 11 b).
 */

type Translate = (
  error: GraphQLError,
  ctx: TranslateContext,
) => Omit<WireError, 'locations' | 'path'> & { at?: ASTNode; pathTail?: string };

interface TranslateContext {
  readonly parents: ReadonlyMap<ASTNode, ASTNode>;
  /** The type that an argument or input field expects. */
  expectedType(holder: ASTNode): string;
  inputFieldType(typeName: string, fieldName: string): string;
}

const TRANSLATED: readonly (readonly [ValidationRule, Translate])[] = [
  [FieldsOnCorrectTypeRule, undefinedField],
  [ScalarLeafsRule, selectionMismatch],
  [KnownArgumentNamesRule, argumentNotAccepted],
  [ProvidedRequiredArgumentsRule, missingRequiredArguments],
  [ValuesOfCorrectTypeRule, wrongValue],
  [KnownDirectivesRule, undefinedDirective],
  [
    KnownTypeNamesRule,
    (error) => ({
      message: `No such type ${quoted(error.message)}, so it can't be a fragment condition`,
      extensions: { code: 'undefinedType', typeName: quoted(error.message) },
    }),
  ],
  [NoUndefinedVariablesRule, (error) => variableError(error, 'is used by', 'but not declared', 'variableNotDefined')],
  [NoUnusedVariablesRule, (error) => variableError(error, 'is declared by', 'but not used', 'variableNotUsed')],
  [VariablesInAllowedPositionRule, variableMismatch],
];

const TRANSLATED_RULES = new Set(TRANSLATED.map(([rule]) => rule));

export function staticErrors(schema: GraphQLSchema, document: DocumentNode): WireError[] {
  const parents = parentsOf(document);
  const errors: WireError[] = [];
  const context: TranslateContext = {
    parents,
    expectedType: (holder) => expectedTypeAt(schema, document, holder),
    inputFieldType: (typeName, fieldName) => {
      const type = schema.getType(typeName);
      return isInputObjectType(type) ? String(type.getFields()[fieldName]?.type ?? '') : '';
    },
  };
  for (const [rule, translate] of TRANSLATED) {
    for (const error of validate(schema, document, [rule])) {
      const { at, pathTail, ...wire } = translate(error, context);
      const node = at ?? error.nodes?.[0];
      const path = node ? pathTo(node, parents) : [];
      errors.push({
        message: wire.message,
        ...locate(node),
        path: pathTail === undefined ? path : [...path, pathTail],
        ...(wire.extensions ? { extensions: wire.extensions } : {}),
      });
    }
  }
  const others = specifiedRules.filter((rule) => !TRANSLATED_RULES.has(rule));
  for (const error of validate(schema, document, others)) {
    errors.push({ message: error.message, ...locate(error.nodes?.[0]), extensions: { code: 'invalidDocument' } });
  }
  for (const { node, value } of errors.length === 0 ? invalidGidLiterals(schema, document) : []) {
    errors.push({
      message: `Invalid global id '${value}'`,
      ...locate(node),
      path: pathTo(node, parents),
      extensions: { code: 'argumentLiteralsIncompatible', typeName: 'CoercionError' },
    });
  }
  return errors;
}

function undefinedField(error: GraphQLError): ReturnType<Translate> {
  const [fieldName, typeName] = allQuoted(error.message);
  return {
    message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
    extensions: { code: 'undefinedField', typeName, fieldName },
  };
}

function selectionMismatch(error: GraphQLError): ReturnType<Translate> {
  const [fieldName, signature = ''] = allQuoted(error.message);
  const typeName = signature.replace(/!$/, '');
  const mustHave = error.message.includes('must have a selection');
  const message = mustHave
    ? `Field must have selections (field '${fieldName}' returns ${typeName} but has no selections. Did you mean '${fieldName} { ... }'?)`
    : `Selections can't be made on scalars (field '${fieldName}' returns ${typeName} but has selections)`;
  return { message, extensions: { code: 'selectionMismatch', nodeName: `field '${fieldName}'`, typeName } };
}

function argumentNotAccepted(error: GraphQLError): ReturnType<Translate> {
  const [argumentName, owner] = allQuoted(error.message);
  const isDirective = error.message.includes('on directive');
  const name = isDirective ? owner?.replace('@', '') : owner?.split('.').at(-1);
  const kind = isDirective ? 'Directive' : 'Field';
  return {
    message: `${kind} '${name}' doesn't accept argument '${argumentName}'`,
    extensions: { code: 'argumentNotAccepted', name, typeName: kind, argumentName },
  };
}

function missingRequiredArguments(error: GraphQLError): ReturnType<Translate> {
  const node = error.nodes?.[0];
  const isDirective = node?.kind === Kind.DIRECTIVE;
  const name = node?.kind === Kind.FIELD || node?.kind === Kind.DIRECTIVE ? node.name.value : '';
  const argument =
    /\(([A-Za-z_]\w*):\)/.exec(error.message)?.[1] ?? allQuoted(error.message).find((word) => word !== name) ?? '';
  const className = isDirective ? 'Directive' : 'Field';
  return {
    message: `${className} '${name}' is missing required arguments: ${argument}`,
    extensions: { code: 'missingRequiredArguments', className, name, arguments: argument },
  };
}

/** A literal of the wrong shape: on a field's argument, inside an input object, or an input field that is unknown or absent. */
function wrongValue(error: GraphQLError, ctx: TranslateContext): ReturnType<Translate> {
  const node = error.nodes?.[0];
  const words = allQuoted(error.message);
  if (node?.kind === Kind.OBJECT_FIELD && error.message.includes('unknown field')) {
    const typeName = words[0];
    return {
      message: `InputObject '${typeName}' doesn't accept argument '${node.name.value}'`,
      extensions: {
        code: 'argumentNotAccepted',
        name: typeName,
        typeName: 'InputObject',
        argumentName: node.name.value,
      },
    };
  }
  if (node?.kind === Kind.OBJECT && error.message.includes('required field')) {
    const [typeName = '', fieldName = ''] = words;
    const argumentType = ctx.inputFieldType(typeName, fieldName);
    return {
      message: `Argument '${fieldName}' on InputObject '${typeName}' is required. Expected type ${argumentType}`,
      extensions: {
        code: 'missingRequiredInputObjectAttribute',
        argumentName: fieldName,
        argumentType,
        inputObjectType: typeName,
      },
    };
  }
  const holder =
    node &&
    nearest(node, ctx.parents, (candidate) => candidate.kind === Kind.ARGUMENT || candidate.kind === Kind.OBJECT_FIELD);
  const argumentName =
    holder && (holder.kind === Kind.ARGUMENT || holder.kind === Kind.OBJECT_FIELD) ? holder.name.value : '';
  const owner = holder && nearest(holder, ctx.parents, (candidate) => candidate.kind === Kind.FIELD);
  const isInput = holder?.kind === Kind.OBJECT_FIELD;
  const kind = isInput ? 'InputObject' : 'Field';
  const outer = isInput
    ? nearest(
        ctx.parents.get(holder) ?? holder,
        ctx.parents,
        (candidate) => candidate.kind === Kind.ARGUMENT || candidate.kind === Kind.OBJECT_FIELD,
      )
    : undefined;
  const ownerName = outer
    ? ctx.expectedType(outer).replace(/[![\]]/g, '')
    : owner?.kind === Kind.FIELD
      ? owner.name.value
      : '';
  const value = node ? print(node) : '';
  const expected = holder ? ctx.expectedType(holder) : '';
  return {
    message: `Argument '${argumentName}' on ${kind} '${ownerName}' has an invalid value (${value}). Expected type '${expected}'.`,
    extensions: { code: 'argumentLiteralsIncompatible', typeName: kind, argumentName },
    ...(owner ? { at: holder ?? owner } : {}),
  };
}

function undefinedDirective(error: GraphQLError): ReturnType<Translate> {
  const directiveName = quoted(error.message).replace('@', '');
  return error.message.startsWith('Unknown directive')
    ? {
        message: `Directive @${directiveName} is not defined`,
        extensions: { code: 'undefinedDirective', directiveName },
      }
    : {
        message: `'@${directiveName}' can't be applied here`,
        extensions: { code: 'directiveCannotBeApplied', directiveName },
      };
}

function variableError(error: GraphQLError, verb: string, ending: string, code: string): ReturnType<Translate> {
  const [variable, operation] = allQuoted(error.message);
  const variableName = (variable ?? '').replace('$', '');
  return {
    message: `Variable $${variableName} ${verb} ${operation ?? 'anonymous operation'} ${ending}`,
    extensions: { code, variableName },
  };
}

function variableMismatch(error: GraphQLError): ReturnType<Translate> {
  const [variable, actual, expected] = allQuoted(error.message);
  const variableName = (variable ?? '').replace('$', '');
  return {
    message: `Type mismatch on variable $${variableName} and argument (${actual} / ${expected})`,
    extensions: { code: 'variableMismatch', variableName, typeName: actual, errorMessage: 'Type mismatch' },
  };
}

function expectedTypeAt(schema: GraphQLSchema, document: DocumentNode, holder: ASTNode): string {
  const typeInfo = new TypeInfo(schema);
  let expected = '';
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      enter(node) {
        if (node === holder) expected = String(typeInfo.getInputType() ?? '');
      },
    }),
  );
  return expected;
}

function allQuoted(message: string): string[] {
  return [...message.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '');
}

function quoted(message: string): string {
  return allQuoted(message)[0] ?? '';
}
