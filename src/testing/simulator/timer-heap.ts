export interface Timer {
  readonly at: number;
  /** Breaks ties between timers of one instant: first set, first run. */
  readonly order: number;
  run: (() => void) | null;
}

/** Timers, the earliest first: a binary heap. */
export class TimerHeap {
  readonly #heap: Timer[] = [];

  /** The next one that was not cleared. Cleared ones stay until they come up. */
  first(): Timer | undefined {
    while (this.#heap[0] && this.#heap[0].run === null) this.pop();
    return this.#heap[0];
  }

  push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(timer);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = heap[parent] as Timer;
      if (!isEarlier(timer, other)) break;
      heap[at] = other;
      at = parent;
    }
    heap[at] = timer;
  }

  pop(): Timer | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || first === last) return first;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right && isEarlier(right, heap[child] as Timer)) child += 1;
      const other = heap[child] as Timer;
      if (!isEarlier(other, last)) break;
      heap[at] = other;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isEarlier(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
