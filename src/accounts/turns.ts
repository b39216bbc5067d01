import { Refusal } from '../model/refusal.ts';
import { networkOf, sourceOf } from './sources.ts';

const WAITING_MAX = 100;
const PER_SOURCE_MAX = 4;
const PER_NETWORK_MAX = 12;

interface Waiting {
  readonly start: () => Promise<void>;
  readonly refuse: () => void;
}

/** Work that is done one at a time, in a bounded queue of which nobody holds more than a share. */
export interface Turns {
  /** `ip`: the caller's address. Refuses with LOGIN_THROTTLED, at once or where it had to make room. */
  take<T>(ip: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Networks (an IPv4 address, an IPv6 /48) take turns: whoever comes waits for one of each other network, however many of theirs came before. A full
 * queue takes a network that has nothing in it, and the last of the one with most goes: it is full for everybody only where a hundred networks wait.
 */
export function createTurns(): Turns {
  /** By network, in the order of their turns; what is at work is no more in it. */
  const waiting = new Map<string, Waiting[]>();
  /** By source and by network, what is at work included. */
  const held = new Map<string, number>();
  let total = 0;
  let isWorking = false;

  function add(key: string, by: 1 | -1): void {
    const count = (held.get(key) ?? 0) + by;
    if (count > 0) held.set(key, count);
    else held.delete(key);
  }

  function next(): void {
    const [first] = waiting;
    isWorking = first !== undefined;
    if (first === undefined) return;
    const [network, [one, ...others]] = first;
    waiting.delete(network);
    if (others.length > 0) waiting.set(network, others);
    void one?.start().finally(next);
  }

  /** Whether a place came free for a network that has none. */
  function makeRoom(): boolean {
    const [longest] = [...waiting.values()].toSorted((a, b) => b.length - a.length);
    if (longest === undefined || longest.length < 2) return false;
    longest.pop()?.refuse();
    return true;
  }

  function canWait(source: string, network: string): boolean {
    if ((held.get(source) ?? 0) >= PER_SOURCE_MAX || (held.get(network) ?? 0) >= PER_NETWORK_MAX) return false;
    return total < WAITING_MAX || (!held.has(network) && makeRoom());
  }

  return {
    take(ip, work) {
      const source = `source ${sourceOf(ip)}`;
      const network = `network ${networkOf(ip)}`;
      if (!canWait(source, network)) return Promise.reject(refusal());
      const count = (by: 1 | -1) => {
        total += by;
        add(source, by);
        add(network, by);
      };
      count(1);
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          start: () =>
            work()
              .finally(() => count(-1))
              .then(resolve, reject),
          refuse: () => {
            count(-1);
            reject(refusal());
          },
        };
        const mine = waiting.get(network);
        if (mine === undefined) waiting.set(network, [one]);
        else mine.push(one);
        if (!isWorking) next();
      });
    },
  };
}

function refusal(): Refusal {
  return new Refusal('LOGIN_THROTTLED', 'Too many attempts. Try again in a moment.', { retryAfterMs: 2_000 });
}
