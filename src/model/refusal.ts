/** A use case that declines, for a reason a person can understand. It reaches the API as `{ error: { code, message, details } }`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** UPPER_SNAKE, stable. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
