/** Longer than what any platform really sends. Signatures cover the body alone: whoever has captured one delivery writes into its headers what they like. */
export const UNSIGNED_LENGTH_MAX = 64;

/** The topic of a delivery as it is kept: one that is longer is none that we know. */
export function topicOf(header: string | undefined): string {
  return (header ?? '').slice(0, UNSIGNED_LENGTH_MAX);
}
