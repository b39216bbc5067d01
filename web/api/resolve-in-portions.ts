import type { Conflict, ResolveConflictsBody, ResolveConflictsReply } from '../../src/contracts/conflicts.ts';

/** So many go in one request: progress is seen, and what stops it stops it soon. */
const PORTION = 25;

export interface NotResolved {
  readonly conflict: Conflict;
  readonly why: string;
}

export interface BulkResult {
  readonly done: number;
  readonly notResolved: readonly NotResolved[];
  /** A request failed as a whole: nothing was sent after it. */
  readonly failure: Error | null;
}

export const BULK_WHY = {
  moved: 'A value changed meanwhile',
  closed: 'It was resolved meanwhile',
  unknown: 'The answer did not come: it may be resolved',
  unsent: 'It was not sent',
} as const;

/** The engine says of both "closed" what it means by it; the first of them is what happens while a person looks at a long list. */
const CLOSED_BY_SOMEBODY = 'This conflict is settled already.';

function whyOf({ code, message }: ResolveConflictsReply['results'][number]): string {
  if (code === 'CONFLICT_MOVED') return BULK_WHY.moved;
  if (code === 'CONFLICT_CLOSED' && message === CLOSED_BY_SOMEBODY) return BULK_WHY.closed;
  return message ?? BULK_WHY.unknown;
}

export interface Course {
  readonly send: (body: ResolveConflictsBody) => Promise<ResolveConflictsReply>;
  /** How many are answered. */
  readonly onProgress: (answered: number) => void;
  readonly isStopped: () => boolean;
}

/** Decides all of them for one side, some at a time, and says of each that was not resolved why. Never rejects. */
export async function resolveInPortions(
  conflicts: readonly Conflict[],
  choice: 'woocommerce' | 'shopify',
  { send, onProgress, isStopped }: Course,
): Promise<BulkResult> {
  const notResolved: NotResolved[] = [];
  let done = 0;
  for (let from = 0; from < conflicts.length; from += PORTION) {
    const portion = conflicts.slice(from, from + PORTION);
    const unsent = (after: number) =>
      conflicts.slice(after).map((conflict): NotResolved => ({ conflict, why: BULK_WHY.unsent }));
    if (isStopped()) return { done, notResolved: [...notResolved, ...unsent(from)], failure: null };
    try {
      const { results } = await send({
        choices: portion.map(({ _id, version }) => ({ conflictId: _id, version, choice })),
      });
      for (const [n, conflict] of portion.entries()) {
        const result = results[n];
        if (result?.outcome === 'done') done += 1;
        else notResolved.push({ conflict, why: result ? whyOf(result) : BULK_WHY.unknown });
      }
    } catch (error) {
      const unknown = portion.map((conflict): NotResolved => ({ conflict, why: BULK_WHY.unknown }));
      const failure = error instanceof Error ? error : new Error(String(error));
      return { done, notResolved: [...notResolved, ...unknown, ...unsent(from + PORTION)], failure };
    }
    onProgress(from + portion.length);
  }
  return { done, notResolved, failure: null };
}
