/** Does something, and whatever has to be done before that: showing who asks. */
export type Around = <Reply>(run: () => Promise<Reply>) => Promise<Reply>;

export const plainly: Around = (run) => run();
