import { findPair } from '../../db/readers/pairs.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { CONFLICT_POLICIES, type PairSettings } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import type { Pace } from './day.ts';
import type { SeededRandom } from './random.ts';
import { PAIR_ID, type World } from './world.ts';

const AREA_SWITCHES = ['syncProducts', 'syncPrices', 'syncInventory'] as const;
const KINDS = { policy: 3, published: 3, area: 4, delete_policy: 1, create_on: 1 } as const;
const MINUTE_MS = 60_000;
/** What a person switched off for a while is on again after at most so long. */
const OFF_MAX_MS = 15 * MINUTE_MS;

/**
 * Somebody changes the pair's settings in the midst of the day, as the dashboard does it: whose edit wins, what of the stock is shown, and areas
 * that are switched off for some minutes. What had been switched off is on again before the day ends, so that the end can be told.
 */
export class SettingsChanges {
  readonly counts = new Map<string, number>([['settings_change', 0]]);
  readonly #world: World;
  readonly #chance: number;
  readonly #random: SeededRandom;
  /** What the person who set the pair up had chosen. */
  readonly #first: PairSettings;
  #isOver = false;

  constructor(world: World, pace: Pace) {
    this.#world = world;
    this.#chance = pace.settingsChance;
    this.#random = world.random.fork('settings changes');
    this.#first = world.settings;
  }

  /** Once a step. */
  maybe(): void {
    if (!this.#random.chance(this.#chance) || !this.#world.isAlive()) return;
    this.counts.set('settings_change', (this.counts.get('settings_change') ?? 0) + 1);
    const random = this.#random;
    const kind = random.weighted(KINDS);
    if (kind === 'policy')
      this.#change({ conflictResolution: random.pick(CONFLICT_POLICIES), preferredSide: random.pick(SIDES) });
    if (kind === 'published')
      this.#change({ stockBuffer: random.int(4), stockCap: random.chance(0.5) ? null : 5 + random.int(15) });
    if (kind === 'area') this.#forAWhile({ [random.pick(AREA_SWITCHES)]: false });
    if (kind === 'delete_policy') this.#forAWhile({ deletePolicy: 'keep' });
    if (kind === 'create_on') this.#forAWhile({ createOn: { ...this.#first.createOn, [random.pick(SIDES)]: false } });
  }

  /** The day is over: what was to be on again is. */
  end(): void {
    this.#isOver = true;
    const { deletePolicy, createOn, syncProducts, syncPrices, syncInventory } = this.#first;
    const isAsBefore = Object.entries({ deletePolicy, createOn, syncProducts, syncPrices, syncInventory }).every(
      ([name, value]) => JSON.stringify(this.#world.settings[name as keyof PairSettings]) === JSON.stringify(value),
    );
    if (!isAsBefore) this.#change({ deletePolicy, createOn, syncProducts, syncPrices, syncInventory });
  }

  #forAWhile(patch: Partial<PairSettings>): void {
    this.#change(patch);
    const names = Object.keys(patch) as (keyof PairSettings)[];
    const before = Object.fromEntries(names.map((name) => [name, this.#first[name]]));
    // Where nobody is there to take the change, the end of the day makes up for it.
    this.#world.clock.setTimer(() => {
      if (!this.#isOver && this.#world.isAlive()) this.#change(before);
    }, this.#random.int(OFF_MAX_MS));
  }

  #change(patch: Partial<PairSettings>): void {
    try {
      updatePairSettings(this.#world.life().ctx, PAIR_ID, patch);
    } catch (error) {
      if ((error as Error).constructor.name !== 'Killed') throw error;
    }
    // Whoever died in it may have stored it all the same.
    const stored = findPair(this.#world.db, PAIR_ID);
    if (stored !== null) this.#world.noteSettings(stored.settings);
  }
}
