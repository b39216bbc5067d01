import { type UserError, userError } from '../graphql/api-error.ts';
import type { MutationPayload } from './run-mutation.ts';

const REMEMBERED_MS = 24 * 60 * 60 * 1000;

interface Outcome {
  readonly fingerprint: string;
  readonly at: number;
  readonly payload: MutationPayload;
  readonly succeeded: boolean;
}

export type IdempotencyMemory = Map<string, Outcome>;

/** Facts, section 6: keys are remembered for 24 hours, with their parameters. */
export function idempotencyRefusal(
  memory: IdempotencyMemory,
  key: string,
  fingerprint: string,
  now: number,
): readonly UserError[] | null {
  const known = recall(memory, key, now);
  if (!known) return null;
  if (known.fingerprint !== fingerprint) {
    return [
      userError(
        null,
        'The same idempotency key cannot be used with different operation parameters.',
        'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
      ),
    ];
  }
  if (!known.succeeded) {
    return [
      userError(
        null,
        'A previous request with this idempotency key failed. Retry with a new idempotency key.',
        'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED',
      ),
    ];
  }
  return null;
}

export function storedPayload(memory: IdempotencyMemory, key: string, now: number): MutationPayload | null {
  return recall(memory, key, now)?.payload ?? null;
}

export function rememberOutcome(memory: IdempotencyMemory, key: string, outcome: Outcome): void {
  // Oldest first, as a Map keeps them: a store that runs for days must not remember for ever.
  for (const [oldKey, old] of memory) {
    if (outcome.at - old.at <= REMEMBERED_MS) break;
    memory.delete(oldKey);
  }
  memory.set(key, outcome);
}

function recall(memory: IdempotencyMemory, key: string, now: number): Outcome | null {
  const known = memory.get(key);
  if (!known) return null;
  if (now - known.at <= REMEMBERED_MS) return known;
  memory.delete(key);
  return null;
}
