import type { Mutant } from './mutants/mutant.ts';
import { RECORD_MUTANTS } from './mutants/record-mutants.ts';
import { STOCK_MUTANTS } from './mutants/stock-mutants.ts';
import { WORK_MUTANTS } from './mutants/work-mutants.ts';

export type { Edit, Mutant } from './mutants/mutant.ts';

/** Every deliberate break that the simulator has to notice. */
export const MUTANTS: readonly Mutant[] = [...STOCK_MUTANTS, ...RECORD_MUTANTS, ...WORK_MUTANTS];
