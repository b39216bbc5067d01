import { ERROR_CATALOGUE, type ErrorCode } from '../contracts/errors.ts';

/** An error of the border itself, by its code in the catalogue. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message?: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message ?? ERROR_CATALOGUE[code].message);
    this.code = code;
    this.details = details;
  }
}

/** What a reader found, or 404: also for what belongs to another workspace. `field`: where the id stood, if not in the address. */
export function found<T>(value: T | null, what: string, field?: string): T {
  if (value !== null) return value;
  const message = `There is no such ${what} in this workspace.`;
  throw new AppError('NOT_FOUND', message, field === undefined ? {} : { fields: [{ field, message }] });
}

/** A 422 that names its field. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('VALIDATION', message, { fields: [{ field, message }] });
}
