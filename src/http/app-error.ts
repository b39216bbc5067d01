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

/** What a reader found, or 404: also for what belongs to another workspace. */
export function found<T>(value: T | null, what: string): T {
  if (value === null) throw new AppError('NOT_FOUND', `There is no such ${what} in this workspace.`);
  return value;
}

/** A 422 that names its field. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('VALIDATION', message, { fields: [{ field, message }] });
}
