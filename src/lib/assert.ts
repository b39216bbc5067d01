/** A broken invariant is a bug: it is thrown, never retried and never shown as an operational error. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws `InvariantError` naming the invariant when `condition` does not hold. */
export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(invariant);
}

/** For the default branch of an exhaustive switch: does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable value: ${JSON.stringify(value)}`);
}

/** The value, or `InvariantError` when it is null or undefined. */
export function present<T>(value: T | null | undefined, invariant: string): T {
  if (value === null || value === undefined) throw new InvariantError(invariant);
  return value;
}
