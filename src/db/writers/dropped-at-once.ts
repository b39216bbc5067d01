/**
 * Rows that a daily clean-up drops at most in one go, whatever it is asked for. A row of the history stands in six places of the file: 2,000 of
 * them stop everything else for 0.1 s.
 */
export const DROPPED_AT_ONCE_MAX = 200;
