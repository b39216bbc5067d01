import { capital } from '../../src/lib/capital.ts';

/** A clause, as the server words what it refuses, with which a sentence begins. */
export function beginSentence(clause: string): string {
  return capital(clause);
}

/** A clause as a sentence of its own. */
export function sentence(clause: string): string {
  const text = beginSentence(clause);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
