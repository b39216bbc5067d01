import type { SeedSet } from '../seed-lists.ts';

/** One replacement in one source file. `find` must occur there exactly once, or the mutant can't be built. */
export interface Edit {
  /** Below src/. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * A deliberate break of the program. The simulator has to notice it within 200 seeds and to name the invariant: that is how we know
 * that a seed that passes says something.
 */
export interface Mutant {
  readonly name: string;
  /** How the invariants begin that it may break, as violations name them: by the code, or by the whole name where one code has several. */
  readonly breaks: readonly string[];
  readonly edits: readonly Edit[];
  /** Where it can show; the sets of one pair by default. */
  readonly sets?: readonly SeedSet[];
}

export function mutant(name: string, breaks: readonly string[], file: string, find: string, replace: string): Mutant {
  return { name, breaks, edits: [{ file, find, replace }] };
}
