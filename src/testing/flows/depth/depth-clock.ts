import { VirtualClock } from '../../simulator/virtual-clock.ts';

/** Turns of the event loop after which a request that has not ended waits for a timer, not for its turn. */
const TURNS_MAX = 60;
/** Turns given to requests that were held back and may be going on again. */
const TURNS_OF_HELD = 12;

/**
 * Virtual time for stores that are reached through `app.inject`: a request takes turns of the event loop (streams, hooks), so time
 * stands still while one is under way. A request that a store keeps hanging is told by its getting nowhere.
 */
export class DepthClock extends VirtualClock {
  readonly #underWay = new Set<object>();
  readonly #held = new Set<object>();

  /** Counts `work` as under way until it ends. */
  async request<T>(work: () => Promise<T>): Promise<T> {
    const token = {};
    this.#underWay.add(token);
    try {
      return await work();
    } finally {
      this.#underWay.delete(token);
      this.#held.delete(token);
    }
  }

  override async drain(): Promise<void> {
    await super.drain();
    for (let turn = 0; turn < TURNS_OF_HELD && this.#held.size > 0; turn += 1) await super.drain();
    let turns = 0;
    let count = this.#underWay.size;
    while (this.#underWay.size > this.#held.size) {
      await super.drain();
      turns = this.#underWay.size === count ? turns + 1 : 0;
      count = this.#underWay.size;
      if (turns < TURNS_MAX) continue;
      for (const token of this.#underWay) this.#held.add(token);
    }
    // What the last answer set off comes to rest too.
    await super.drain();
  }
}
