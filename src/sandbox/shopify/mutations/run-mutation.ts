import { type GraphQLResolveInfo, getDirectiveValues } from 'graphql';
import { ApiError } from '../graphql/api-error.ts';
import type { RequestContext, SandboxState } from '../state.ts';
import { type ChangeSet, createChangeSet } from '../store/changes.ts';
import type { Store } from '../store/store.ts';
import { idempotencyRefusal, rememberOutcome, storedPayload } from './idempotency.ts';

export interface MutationContext {
  readonly state: SandboxState;
  readonly store: Store;
  readonly now: number;
  readonly apiVersion: string;
  readonly changes: ChangeSet;
}

// biome-ignore lint/suspicious/noExplicitAny: arguments were checked against the schema before execution; each mutation names its own shape.
export type MutationArgs = any;
export type MutationPayload = Record<string, unknown> & { readonly userErrors: readonly unknown[] };

export interface Mutation {
  /** From 2026-04 the call must carry @idempotent(key:). */
  readonly needsIdempotencyKey?: boolean;
  /** Refusals before anything runs, also before an idempotency key is looked at. */
  check?(args: MutationArgs): void;
  /** True when a repeat with the same key must be answered anew instead of from memory (a stale compare-and-set). */
  isStale?(args: MutationArgs, ctx: MutationContext): boolean;
  run(args: MutationArgs, ctx: MutationContext): MutationPayload;
}

const IDEMPOTENT_DIRECTIVE = 'idempotent';

/** One root field of a mutation: its checks, its work, then one commit with one event id for all webhooks. */
export function runMutation(
  name: string,
  mutation: Mutation,
  args: MutationArgs,
  request: RequestContext,
  info: GraphQLResolveInfo,
): MutationPayload {
  const { state } = request;
  const ctx: MutationContext = {
    state,
    store: state.store,
    now: state.environment.now(),
    apiVersion: request.apiVersion,
    changes: createChangeSet(),
  };
  const key = idempotencyKey(info);
  if (mutation.needsIdempotencyKey && key === null) {
    throw new ApiError('The @idempotent directive is required for this mutation but was not provided.', {
      code: 'BAD_REQUEST',
    });
  }
  mutation.check?.(args);
  if (key === null || !mutation.needsIdempotencyKey) return runAndCommit(mutation, args, ctx);

  const fingerprint = JSON.stringify([name, args]);
  const refusal = idempotencyRefusal(state.idempotency, key, fingerprint, ctx.now);
  if (refusal) return emptyPayload(info, refusal);
  const known = storedPayload(state.idempotency, key, ctx.now);
  // Seen live: a repeat after success is answered STALE, not replayed, because the quantity has moved on by its own first run.
  if (known && mutation.isStale?.(args, ctx)) return mutation.run(args, { ...ctx, changes: createChangeSet() });
  if (known) return known;
  const payload = runAndCommit(mutation, args, ctx);
  rememberOutcome(state.idempotency, key, {
    fingerprint,
    at: ctx.now,
    payload,
    succeeded: payload.userErrors.length === 0,
  });
  return payload;
}

function runAndCommit(mutation: Mutation, args: MutationArgs, ctx: MutationContext): MutationPayload {
  const payload = mutation.run(args, ctx);
  ctx.state.commit(ctx.changes);
  return payload;
}

function idempotencyKey(info: GraphQLResolveInfo): string | null {
  const directive = info.schema.getDirective(IDEMPOTENT_DIRECTIVE);
  const node = info.fieldNodes[0];
  if (!directive || !node) return null;
  const key = getDirectiveValues(directive, node, info.variableValues)?.['key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.trim() === '')
    throw new ApiError('The idempotency key cannot be blank.', { code: 'BAD_REQUEST' });
  return key;
}

/** A payload with every field null but the errors. */
function emptyPayload(info: GraphQLResolveInfo, userErrors: readonly unknown[]): MutationPayload {
  const type = info.schema.getMutationType()?.getFields()[info.fieldName]?.type;
  const fields = type && 'getFields' in type ? Object.keys(type.getFields()) : [];
  return { ...Object.fromEntries(fields.map((field) => [field, null])), userErrors };
}
