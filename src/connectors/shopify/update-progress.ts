import type { CallOptions } from './client.ts';

/** Shared by the steps of one write: whether one of them has changed the shop. */
export interface Progress {
  isPartlyDone: boolean;
}

/** [C27] Until when the next step is sent, and until when it is heard: what has changed nothing yet can be given up while it waits for its turn. */
export type Until = () => Pick<CallOptions, 'signal' | 'cut'>;
