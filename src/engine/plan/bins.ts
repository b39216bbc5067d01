import { ConnectorError } from '../../model/connector-error.ts';
import { type PerSide, PLATFORM_NAME, type Side } from '../../model/platform.ts';
import type { Bin } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';
import { type PlannedItem, refusedItem } from './plan-item.ts';

/**
 * [B12] What a shop is known to refuse is left out of the plan, and so is what its bin keeps the SKUs of. Each bin is listed once a plan, and only where
 * something is to be made.
 */
export class Bins {
  readonly #ctx: EngineContext;
  readonly #view: PairView;
  readonly #bins: Partial<PerSide<Bin>> = {};

  constructor(ctx: EngineContext, view: PairView) {
    this.#ctx = ctx;
    this.#view = view;
  }

  async leaveOut(items: readonly PlannedItem[], signal: AbortSignal): Promise<readonly PlannedItem[]> {
    const checked: PlannedItem[] = [];
    for (const item of items) {
      const { create } = item;
      const { side } = item.data;
      if (item.action !== 'create' || create === undefined || side === null) {
        checked.push(item);
        continue;
      }
      const refusal = this.#view.connectors[side].refusalOf(create, await this.#binOf(side, signal));
      checked.push(refusal === null ? item : { ...item, ...refusedItem(side, refusal, item.data.imageUrl) });
    }
    return checked;
  }

  /** A shop that does not show its bin is no reason to make no plan: what it keeps is told once it is refused. */
  async #binOf(side: Side, signal: AbortSignal): Promise<Bin> {
    const known = this.#bins[side];
    if (known !== undefined) return known;
    let bin: Bin = new Map();
    try {
      bin = await this.#view.connectors[side].listBin(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ConnectorError)) throw error;
      this.#ctx.log.warn(
        { kind: error.kind },
        `the bin of ${PLATFORM_NAME[side]} could not be listed: ${error.message}`,
      );
    }
    this.#bins[side] = bin;
    return bin;
  }
}
