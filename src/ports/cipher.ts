/** Encryption at rest: AES-256-GCM with a key that is kept outside the database. */
export interface Cipher {
  /** `context` is authenticated with the text: a value moved to another row or column does not open. */
  seal(plain: string, context: string): string;
  /** Throws when the text was changed, the key is another, or the context differs. */
  open(sealed: string, context: string): string;
}
