/** Randomness as the engine sees it: secure in the server, seeded in the simulator. */
export interface Random {
  /** A fresh id with the given prefix; at least 80 random bits after a sortable time part. */
  id(prefix: string): string;
  /** Uniform in [0, 1): for jitter. */
  unit(): number;
}
