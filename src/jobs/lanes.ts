import type { LaneHead } from '../db/readers/jobs.ts';
import { SECOND_MS } from '../lib/time.ts';
import { JOB_PRIORITY } from '../model/job.ts';

/** All due work of one group and task: what one batch is taken from. */
export interface Lane {
  readonly key: string;
  readonly groupKey: string;
  readonly task: string;
  /** Due priorities, in the order in which a batch is filled with them: most urgent first, save where it is the turn of what is less urgent. */
  readonly priorities: readonly number[];
  /** Since when the first of each has been due, ms. */
  readonly dueSince: readonly number[];
}

/** Of how many groups and lanes the last turn is remembered; beyond it the longest forgotten goes first, as it should. */
const TURNS_MAX = 10_000;

/** One of so many turns is for what is less urgent: shops that are edited without end would starve it. */
const LESS_URGENT_EACH = 4;

export function laneKey(groupKey: string, task: string): string {
  return `${groupKey}\n${task}`;
}

/** Who was served when: groups take turns with what is of one urgency, and so do the tasks inside a group. */
export class Turns {
  #counter = 0;
  #passed = 0;
  readonly #last = new Map<string, number>();

  of(name: string): number {
    return this.#last.get(name) ?? 0;
  }

  /** Counts the turns that are not stock's. True for each fourth: what is less urgent has it. */
  isForLessUrgent(): boolean {
    this.#passed = (this.#passed + 1) % LESS_URGENT_EACH;
    return this.#passed === 0;
  }

  mark(name: string): void {
    this.#counter += 1;
    this.#last.delete(name);
    this.#last.set(name, this.#counter);
    if (this.#last.size > TURNS_MAX) {
      const [oldest] = this.#last.keys();
      if (oldest !== undefined) this.#last.delete(oldest);
    }
  }
}

/**
 * How many slots work of this priority may hold in all. Long work (scans, housekeeping) leaves half of them free and
 * everything but stock leaves one, so that a sale never waits for the end of a scan.
 */
function slotLimit(priority: number, concurrency: number): number {
  if (priority <= JOB_PRIORITY.stock || concurrency === 1) return concurrency;
  if (priority < JOB_PRIORITY.scan) return concurrency - 1;
  return Math.max(1, Math.floor(concurrency / 2));
}

/** A batch of stock or products that takes as long as this waited for a store that is away or hardly answers, ms. */
export const SLOW_MS = 5 * SECOND_MS;

/** How many slots such lanes may hold in all: stores that are down leave the others room. What is long by nature has limits of its own. */
function slowLimit(concurrency: number): number {
  return Math.max(1, Math.floor(concurrency / 2));
}

function isOfStore(priority: number): boolean {
  return priority < JOB_PRIORITY.request;
}

/**
 * Which lanes get the free slots: the most urgent first, among equals the group that waited longest for its turn.
 * `running` is the priority of each batch in flight by lane key; such a lane waits for its end. `slow`: keys of lanes whose last batch was slow.
 */
export function chooseLanes(
  heads: readonly LaneHead[],
  nowMs: number,
  running: ReadonlyMap<string, number>,
  concurrency: number,
  turns: Turns,
  slow: ReadonlySet<string>,
): readonly Lane[] {
  const candidates = dueLanes(heads, nowMs).filter((lane) => !running.has(lane.key));
  const held = [...running.values()];
  let slowCount = [...running].filter(([key, priority]) => isOfStore(priority) && slow.has(key)).length;
  const isSlow = (lane: Lane) => isOfStore(urgency(lane)) && slow.has(lane.key);
  const chosen: Lane[] = [];
  const isFree = (lane: Lane) =>
    !chosen.some(({ key }) => key === lane.key) &&
    mayStart(lane, held, concurrency) &&
    !(isSlow(lane) && slowCount >= slowLimit(concurrency));
  while (held.length < concurrency) {
    let best: Lane | null = null;
    for (const lane of candidates)
      if (isFree(lane) && (best === null || compareLanes(lane, best, turns) < 0)) best = lane;
    if (best === null) break;
    if (urgency(best) > JOB_PRIORITY.stock && turns.isForLessUrgent())
      best = lessUrgent(candidates, urgency(best), isFree) ?? best;
    chosen.push(best);
    held.push(urgency(best));
    if (isSlow(best)) slowCount += 1;
    turns.mark(turnName(best));
    turns.mark(best.key);
  }
  return chosen;
}

/** When the next job falls due that is not due yet, in a lane that has no batch in flight; null: never. */
export function nextDueAt(
  heads: readonly LaneHead[],
  nowMs: number,
  running: ReadonlyMap<string, number>,
): number | null {
  let next: number | null = null;
  for (const head of heads) {
    if (head.runAt <= nowMs || running.has(laneKey(head.groupKey, head.task))) continue;
    if (next === null || head.runAt < next) next = head.runAt;
  }
  return next;
}

export function urgency(lane: Lane): number {
  return urgencyOf(lane.priorities[0] ?? Number.MAX_SAFE_INTEGER);
}

/** What may be a sale is looked at apart (`look-at-stock.ts`), and so it is no more urgent than other products are. */
function urgencyOf(priority: number): number {
  return priority === JOB_PRIORITY.possibleSale ? JOB_PRIORITY.product : priority;
}

/** What has waited longest of all that is less urgent than that, with its own urgency first; null: none of it may start. */
function lessUrgent(lanes: readonly Lane[], than: number, isFree: (lane: Lane) => boolean): Lane | null {
  let oldest: { readonly lane: Lane; readonly since: number } | null = null;
  for (const lane of lanes) {
    for (const [i, since] of lane.dueSince.entries()) {
      if ((lane.priorities[i] ?? 0) <= than || (oldest !== null && oldest.since <= since)) continue;
      const turned = { ...lane, priorities: [...lane.priorities.slice(i), ...lane.priorities.slice(0, i)] };
      if (isFree(turned)) oldest = { lane: turned, since };
    }
  }
  return oldest?.lane ?? null;
}

function dueLanes(heads: readonly LaneHead[], nowMs: number): readonly Lane[] {
  const lanes = new Map<string, Lane & { priorities: number[]; dueSince: number[] }>();
  for (const { groupKey, task, priority, runAt } of heads) {
    if (runAt > nowMs) continue;
    const key = laneKey(groupKey, task);
    const lane = lanes.get(key);
    // Heads come in order of priority.
    if (lane === undefined) lanes.set(key, { key, groupKey, task, priorities: [priority], dueSince: [runAt] });
    else {
      const last = lane.priorities.length - 1;
      const isAlike = urgencyOf(lane.priorities[last] ?? 0) === urgencyOf(priority);
      // Of one urgency what has waited longest goes first.
      const at = isAlike && runAt < (lane.dueSince[last] ?? 0) ? last : last + 1;
      lane.priorities.splice(at, 0, priority);
      lane.dueSince.splice(at, 0, runAt);
    }
  }
  return [...lanes.values()];
}

function mayStart(lane: Lane, held: readonly number[], concurrency: number): boolean {
  const priority = urgency(lane);
  // Long work and short together leave one free as well.
  return [priority, Math.min(priority, JOB_PRIORITY.product)].every(
    (each) => held.filter((other) => other >= classOf(each)).length < slotLimit(each, concurrency),
  );
}

/** The most urgent priority that shares a slot limit with this one. */
function classOf(priority: number): number {
  if (priority <= JOB_PRIORITY.stock) return Number.MIN_SAFE_INTEGER;
  return priority < JOB_PRIORITY.scan ? JOB_PRIORITY.stock + 1 : JOB_PRIORITY.scan;
}

function compareLanes(a: Lane, b: Lane, turns: Turns): number {
  const byTurn = turns.of(turnName(a)) - turns.of(turnName(b));
  return urgency(a) - urgency(b) || byTurn || turns.of(a.key) - turns.of(b.key);
}

/** A group's turn among those that share its slots: a pair that sells all the time would otherwise never have a turn with its products. */
function turnName(lane: Lane): string {
  return `${lane.groupKey}\n${classOf(urgency(lane))}`;
}
