import type { Operation } from './fault-plan.ts';

/** One request as it came to the shop's door, whatever became of it. */
export interface Visit {
  /** True (virtual) time, ms. */
  readonly at: number;
  readonly operation: Operation;
  /** The same for a request and for each time that it is sent again. */
  readonly request: number;
  /** Before this the shop does not want to be asked it again, as it said in its answer, ms; null: it said nothing of that. */
  notBefore: number | null;
}

/** Everything that a shop was asked, in the order in which it came: what its limit is held against, by whoever wants to know. The shop itself never looks. */
export class Visits {
  readonly all: Visit[] = [];
  /** What asks is the same function each time. Held weakly: the record keeps nothing alive of what was asked. */
  readonly #requests = new WeakMap<object, number>();

  note(at: number, operation: Operation, asks: object): Visit {
    const request = this.#requests.get(asks) ?? this.all.length + 1;
    this.#requests.set(asks, request);
    const visit: Visit = { at, operation, request, notBefore: null };
    this.all.push(visit);
    return visit;
  }
}
