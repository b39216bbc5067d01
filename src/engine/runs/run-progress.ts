import { type Tx, transact } from '../../db/database.ts';
import type { RunItemRow, RunRow } from '../../db/schema/run.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { wakeGroup } from '../../db/writers/jobs.ts';
import { deleteScanState, findScanState } from '../../db/writers/observations.ts';
import { findRun, findRunOutcome, recordRunItem, updateRun } from '../../db/writers/runs.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { SIDES } from '../../model/platform.ts';
import type { RunStats, RunStatus } from '../../model/run.ts';
import type { EngineContext } from '../context.ts';
import { type HubState, loadHub } from '../hub.ts';
import type { ProductSubject } from '../products/product-subject.ts';
import type { Measured } from './measure-accuracy.ts';

/** Progress events go out at most this often, ms. */
const PROGRESS_EVERY_MS = 1_000;

/** What a run says of a product that was level but for its stock. */
const STOCK_MOVES = 'its stock was not level: it is written right after';

/** Of what is left out there is no hub record: its title is as it was read. */
function readTitle({ snapshots }: ProductSubject): string {
  return SIDES.map((side) => snapshots[side]?.fields.title).find((title) => title) ?? '';
}

/** Keeps a run's numbers; each call is one transaction with what it reports. */
export class RunProgress {
  readonly #ctx: EngineContext;
  readonly #run: RunRow;
  #stats: RunStats;
  #announcedAt = 0;

  constructor(ctx: EngineContext, run: RunRow) {
    this.#ctx = ctx;
    this.#run = run;
    this.#stats = run.stats;
  }

  isCancelled(): boolean {
    return findRun(this.#ctx.db, this.#run.id)?.isCancelRequested === true;
  }

  /** What became of some products; what was level already, in its stock too, is counted and not listed. */
  record(
    subjects: readonly ProductSubject[],
    action: string,
    set: { readonly progress: number; readonly cursor?: number },
  ): void {
    const { db, clock } = this.#ctx;
    const at = clock.now();
    transact(db, (tx) => {
      for (const subject of subjects) {
        const isWaiting =
          subject.outcome !== null && subject.outcome.type !== 'done' && subject.outcome.type !== 'cancel';
        const outcome = subject.result === 'unchanged' && isWaiting ? 'skipped' : subject.result;
        const hub = subject.productId === null ? null : loadHub(tx, subject.productId);
        const title = hub?.row.title ?? readTitle(subject);
        const key = subject.productId ?? `${subject.unknown?.side}:${subject.unknown?.externalId}`;
        const reason = waitsFor(subject);
        const listed = findRunOutcome(tx, this.#run.id, key);
        const before = listed ?? (this.hasMet(hub) ? 'unchanged' : null);
        // A scan meets what is in both shops twice: it is one product, and what was last found out about it counts.
        if (before !== null && outcome !== 'unchanged') this.#count(before, -1);
        if (before === null || outcome !== 'unchanged') this.#count(outcome, 1);
        if (outcome !== 'unchanged' || (subject.movesStock && listed === null))
          recordRunItem(tx, {
            runId: this.#run.id,
            subject: key,
            title,
            action,
            outcome,
            detail: reason ?? subject.detail ?? (subject.movesStock ? STOCK_MOVES : null),
            at,
          });
      }
      updateRun(tx, this.#run.id, {
        stats: this.#stats,
        progress: set.progress,
        ...(set.cursor === undefined ? {} : { cursor: set.cursor }),
      });
      this.#announce(tx, set.progress, at);
    });
  }

  /** A record that was not touched, and why. */
  leaveOut(
    items: readonly {
      readonly subject: string;
      readonly title: string;
      readonly action: string;
      readonly outcome: 'moved' | 'skipped';
      readonly detail: string;
    }[],
  ): void {
    const at = this.#ctx.clock.now();
    transact(this.#ctx.db, (tx) => {
      for (const item of items) {
        // Met again: the run was cut off before it could note how far it got.
        if (findRunOutcome(tx, this.#run.id, item.subject) === null) this.#count('skipped', 1);
        recordRunItem(tx, { runId: this.#run.id, at, ...item });
      }
      updateRun(tx, this.#run.id, { stats: this.#stats });
    });
  }

  /** Whether this run's listing has shown the product, in any shop. */
  hasMet(hub: HubState | null): boolean {
    const { scanNumber } = this.#run;
    return hub !== null && SIDES.some((side) => (hub.bindings[side]?.seenInScan ?? 0) >= scanNumber);
  }

  countLevel(count: number): void {
    this.#stats = {
      ...this.#stats,
      totalProcessed: this.#stats.totalProcessed + count,
      successful: this.#stats.successful + count,
    };
  }

  /** Fields that were read afresh: see `measureAccuracy`. */
  countFields({ compared, equal }: Measured): void {
    const { fields = { compared: 0, equal: 0 } } = this.#stats;
    this.#stats = { ...this.#stats, fields: { compared: fields.compared + compared, equal: fields.equal + equal } };
  }

  /** How far the run has got, as text that can be compared. */
  mark(): string {
    const run = findRun(this.#ctx.db, this.#run.id);
    const pages = SIDES.map((side) => findScanState(this.#ctx.db, this.#run.id, side));
    return JSON.stringify([run?.cursor, pages]);
  }

  /** Ends the run, in one transaction with whatever its end means for others. */
  finish(
    status: Exclude<RunStatus, 'running'>,
    error: { readonly code: string; readonly message: string } | null,
    alongside: (tx: Tx) => void,
  ): void {
    const { db, clock } = this.#ctx;
    const at = clock.now();
    const run = this.#run;
    transact(db, (tx) => {
      updateRun(tx, run.id, {
        status,
        stats: this.#stats,
        progress: status === 'completed' ? 100 : (findRun(tx, run.id)?.progress ?? 0),
        errorCode: error?.code ?? null,
        errorMessage: error?.message ?? null,
        finishedAt: at,
      });
      deleteScanState(tx, run.id);
      alongside(tx);
      if (status === 'completed') {
        const { fields } = this.#stats;
        updatePair(tx, run.pairId, { lastSyncAt: at, ...(fields ? { accuracy: { ...fields, at } } : {}) });
      }
      wakeGroup(tx, run.pairId, at);
      recordEvent(tx, {
        workspaceId: run.workspaceId,
        pairId: run.pairId,
        type: status === 'completed' ? 'run_completed' : status === 'failed' ? 'run_failed' : 'run_cancelled',
        payload: { runId: run.id, stats: this.#stats, error },
        at,
      });
    });
  }

  /** `by`: 1, or -1 to take back what was counted. */
  #count(outcome: RunItemRow['outcome'], by: 1 | -1): void {
    const s = this.#stats;
    this.#stats = {
      ...s,
      totalProcessed: s.totalProcessed + by,
      successful: s.successful + (outcome === 'written' || outcome === 'unchanged' ? by : 0),
      failed: s.failed + (outcome === 'failed' ? by : 0),
      written: s.written + (outcome === 'written' ? by : 0),
      skipped: s.skipped + (outcome === 'skipped' || outcome === 'moved' ? by : 0),
    };
  }

  #announce(tx: Parameters<Parameters<typeof transact>[1]>[0], progress: number, at: number): void {
    if (at - this.#announcedAt < PROGRESS_EVERY_MS) return;
    this.#announcedAt = at;
    recordEvent(tx, {
      workspaceId: this.#run.workspaceId,
      pairId: this.#run.pairId,
      type: 'run_progress',
      payload: { runId: this.#run.id, progress, stats: this.#stats },
      at,
    });
  }
}

/** Why a pass has not ended well. That one half of it was refused says more than that the other half waits. */
function waitsFor({ outcome, refused }: ProductSubject): string | null {
  if (outcome === null || outcome.type === 'done') return null;
  return refused ?? ('reason' in outcome ? outcome.reason : 'waits for the store');
}
