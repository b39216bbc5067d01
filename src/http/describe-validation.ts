import type { FieldError } from '../contracts/errors.ts';
import { ID_PATTERN } from '../contracts/shared.ts';

/** The part of a validator's finding that words are made from. */
interface SchemaFinding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: unknown;
  readonly message?: string | undefined;
}

const FIELDS_MAX = 20;

/** Schema findings as fields, each with what to do about it. */
export function describeValidation(findings: readonly SchemaFinding[], context: string): FieldError[] {
  const fields = new Map<string, string>();
  for (const finding of findings) {
    for (const { field, message } of describe(finding, context)) {
      // The first finding about a field is the plainest; an alternative that did not match only repeats it.
      if (!fields.has(field) && fields.size < FIELDS_MAX) fields.set(field, message);
    }
  }
  return [...fields].map(([field, message]) => ({ field, message }));
}

function describe(finding: SchemaFinding, context: string): FieldError[] {
  const params = (finding.params ?? {}) as Record<string, unknown>;
  const path = finding.instancePath.split('/').slice(1).map(unescapePointer);
  const field = path.join('.') || context;
  const one = (message: string) => [{ field, message: `${field}: ${message}` }];
  switch (finding.keyword) {
    case 'required': {
      const missing = (params['requiredProperties'] ?? []) as readonly string[];
      return missing.map((name) => {
        const full = [...path, name].join('.');
        return {
          field: full,
          message: `${full} is missing: send it in the ${context === 'body' ? 'body' : 'request'}`,
        };
      });
    }
    case 'enum':
      return one(`must be one of ${((params['allowedValues'] ?? []) as readonly unknown[]).join(', ')}`);
    case 'const':
      return one(`must be ${JSON.stringify(params['allowedValue'])}`);
    case 'type':
      return one(`must be ${article(params['type'])}`);
    case 'minLength':
      return one(
        Number(params['limit']) <= 1 ? 'must not be empty' : `must have at least ${params['limit']} characters`,
      );
    case 'maxLength':
      return one(`must have at most ${params['limit']} characters`);
    case 'minimum':
      return one(`must be at least ${params['limit']}`);
    case 'maximum':
      return one(`must be at most ${params['limit']}`);
    case 'minItems':
      return one(`must name at least ${params['limit']}`);
    case 'maxItems':
      return one(`must name at most ${params['limit']}`);
    case 'misspelt':
      return one(`is not known here: did you mean ${params['meant']}?`);
    case 'pattern':
      return one(
        String(params['pattern']) === ID_PATTERN
          ? 'is no id: take one as a list or a reply gives it'
          : 'is not in the expected form',
      );
    default:
      return one('is not valid');
  }
}

function article(type: unknown): string {
  const name = Array.isArray(type) ? type.join(' or ') : String(type);
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
