import { createHash } from 'node:crypto';
import { assert, present } from '../../lib/assert.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';

const TWO_32 = 4_294_967_296;
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Seeded randomness of the simulator: xoshiro128** (128 bits of state, Blackman and Vigna 2018), seeded by SHA-256 so that neighbouring
 * seeds share nothing. A weak generator makes whole regions of the fault space unreachable without anyone noticing.
 * One seed gives one sequence on every machine; `fork` gives streams that depend on the seed and the name alone, so that drawing
 * more in one part of the simulator moves nothing in another.
 */
export class SeededRandom {
  readonly seed: string;
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: string | number) {
    this.seed = String(seed);
    const digest = createHash('sha256').update(this.seed).digest();
    this.#a = digest.readUInt32LE(0);
    this.#b = digest.readUInt32LE(4);
    this.#c = digest.readUInt32LE(8);
    // All zero is the one state that xoshiro never leaves; the odd bit rules it out.
    this.#d = (digest.readUInt32LE(12) | 1) >>> 0;
  }

  /** 32 uniform bits. */
  bits(): number {
    const b5 = Math.imul(this.#b, 5);
    const result = Math.imul((b5 << 7) | (b5 >>> 25), 9) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** Uniform in [0, 1), 53 bits. */
  unit(): number {
    return ((this.bits() >>> 5) * 67_108_864 + (this.bits() >>> 6)) / 9_007_199_254_740_992;
  }

  /** Uniform in 0 .. n - 1. */
  int(n: number): number {
    assert(Number.isSafeInteger(n) && n > 0 && n <= TWO_32, 'int(n) wants 1 <= n <= 2^32');
    return Math.floor(this.unit() * n);
  }

  /** Uniform in from .. to, both included. */
  between(from: number, to: number): number {
    return from + this.int(to - from + 1);
  }

  /** True with probability p. Draws even when p is 0 or 1, so that turning a fault off leaves the rest of the sequence in place. */
  chance(p: number): boolean {
    return this.unit() < p;
  }

  pick<T>(items: readonly T[]): T {
    assert(items.length > 0, 'pick wants at least one item');
    return items[this.int(items.length)] as T;
  }

  /** One of the keys, by weight; a weight of 0 never comes. */
  weighted<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K {
    const entries = Object.entries(weights) as [K, number][];
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
    assert(total > 0, 'weighted wants a positive weight');
    let at = this.unit() * total;
    for (const [key, weight] of entries) {
      at -= weight;
      if (at < 0) return key;
    }
    // Rounding may leave a crumb: it belongs to the last one that can come at all.
    return present(
      entries.findLast(([, weight]) => weight > 0),
      'a key with weight',
    )[0];
  }

  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let end = copy.length - 1; end > 0; end -= 1) {
      const at = this.int(end + 1);
      [copy[end], copy[at]] = [copy[at] as T, copy[end] as T];
    }
    return copy;
  }

  /** An independent stream of the same seed: the same for the same name, however much was drawn here before. */
  fork(name: string): SeededRandom {
    return new SeededRandom(`${this.seed}/${name}`);
  }
}

/** The engine's `Random` port on a seeded stream. Ids sort in the order of their making: time, then a counter, then 80 random bits. */
export function seededRandomPort(random: SeededRandom, clock: Pick<Clock, 'now'>): Random {
  let made = 0;
  return {
    id(prefix) {
      made += 1;
      const time = Math.max(0, Math.floor(clock.now())).toString(36).padStart(9, '0');
      let tail = '';
      for (let digit = 0; digit < 16; digit += 1) tail += BASE32[random.bits() >>> 27] ?? '';
      return `${prefix}${time}${made.toString(36).padStart(6, '0')}${tail}`;
    },
    unit: () => random.unit(),
  };
}

/** When `seededRandomPort` made an id, by the clock of the process that it was made in, ms. */
export function idMadeAt(id: string): number {
  const start = id.indexOf('_') + 1;
  return Number.parseInt(id.slice(start, start + 9), 36);
}
