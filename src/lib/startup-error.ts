/**
 * Something a person has to put right before the server can start: a bad setting, a newer database, a second process.
 * It is printed as message and remedy, without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
  /** What to do about it, in one or two sentences. */
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}
