import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { InvariantError } from '../lib/assert.ts';
import type { Log } from '../ports/log.ts';
import { findLongArray, ITEMS_MAX } from './find-long-array.ts';
import { findMisspelt, type Misspelt } from './misspelt.ts';

/** Compiled at first use: a route that is never called costs nothing at start. */
function lazily(schema: TSchema): () => Validator {
  let compiled: Validator | undefined;
  return () => {
    compiled ??= Compile(schema);
    return compiled;
  };
}

/** Texts as what the schema asks for, where they say exactly that: a limit of "1.5" is a mistake, and not 1. */
function convertExactly(validator: Validator, value: unknown): unknown {
  const texts = Object.entries((value ?? {}) as Record<string, unknown>);
  const converted = validator.Convert(value) as Record<string, unknown>;
  const cut = texts.filter(([name, text]) => typeof converted[name] === 'number' && Number(text) !== converted[name]);
  return cut.length === 0 ? converted : { ...converted, ...Object.fromEntries(cut) };
}

function asFinding({ instancePath, meant }: Misspelt) {
  return { keyword: 'misspelt', instancePath, schemaPath: '#', params: { meant } };
}

function findingsOf(schema: TSchema, validator: Validator, value: unknown) {
  const long = findLongArray(value);
  if (long !== null)
    return [{ keyword: 'maxItems', instancePath: long, schemaPath: '#', params: { limit: ITEMS_MAX } }];
  return validator.Check(value) ? findMisspelt(schema, value).map(asFinding) : validator.Errors(value);
}

/** Bodies are taken as they are; query and path parts arrive as text and are converted where their schema says so. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = lazily(schema);
  return (value) => {
    const converted = httpPart === 'body' ? value : convertExactly(validator(), value);
    const validation = findingsOf(schema, validator(), converted);
    if (validation.length === 0) return { value: converted };
    return { error: Object.assign(new Error('request is not valid'), { validation }) };
  };
};

/**
 * Every reply is held to its contract before it leaves. One that breaks it is our bug: an error while developing and
 * testing (`isStrict`), a log line in production, where a page that misses a detail beats a page that fails.
 */
export function createSerializerCompiler(log: Log, isStrict: boolean): FastifySerializerCompiler<TSchema> {
  return ({ schema, url, method }) => {
    const validator = lazily(schema);
    return (reply) => {
      if (!validator().Check(reply)) {
        const [first] = validator().Errors(reply);
        const text = `${method} ${url} broke its contract at ${first?.instancePath}: ${first?.message}`;
        if (isStrict) throw new InvariantError(text);
        log.error({ route: url }, text);
      }
      return JSON.stringify(reply);
    };
  };
}
