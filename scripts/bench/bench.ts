import type { Workshop } from './lib/workshop.ts';

/** One figure of a benchmark. */
export interface Row {
  readonly what: string;
  readonly value: string;
  /** What it is held against; '' where there is nothing to hold it against. */
  readonly target: string;
  /** Null: told, not judged. */
  readonly isMet: boolean | null;
}

export interface Bench {
  readonly name: string;
  readonly about: string;
  run(workshop: Workshop): Promise<readonly Row[]>;
}
