import { capital } from '../../lib/capital.ts';

/** A clause, as errors are worded, as a sentence of its own. */
export function sentence(words: string): string {
  const text = capital(words);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
