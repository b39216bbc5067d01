/** One line of the report: what, the figure, and whether it is good. */
export type Check = readonly [what: string, value: string, isGood: boolean];
