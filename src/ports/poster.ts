/** Sends outgoing webhooks: the real one refuses addresses that are not public; tests pass their own. */
export interface Poster {
  /** Why this address can not be used, in words for a person; null: it can. */
  refuses(url: string): string | null;
  /**
   * Posts a JSON text once, without following redirects, and gives the HTTP status.
   * Throws an `Error` whose message says why there was no whole answer, without the body that was sent.
   */
  post(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
  }): Promise<{ readonly status: number }>;
}
