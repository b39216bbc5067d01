/** When the answer of a request came to our side; Infinity while it hasn't, and for ever when it was lost. */
export interface Arrival {
  answeredAt: number;
}

interface Point {
  readonly seq: number;
  readonly arrival: Arrival;
}

/** More than the requests about one item that are ever made while one of them is under way, late landings included. */
const POINTS_MAX = 128;

/**
 * What our side can have known of each item, and since when: each read (and each write) of ours is a point at the platform's version of its
 * handling, good from the moment its answer came. Gives every landing write the start of its window.
 */
export class Knowledge {
  readonly #points = new Map<string, Point[]>();

  note(id: string, seq: number, arrival: Arrival): void {
    const points = this.#points.get(id);
    if (!points) {
      this.#points.set(id, [{ seq, arrival }]);
      return;
    }
    points.push({ seq, arrival });
    if (points.length > POINTS_MAX) points.shift();
  }

  /** The latest version of `id` whose answer had come before `sentAt`, and when the last answer of any version had; null: none had. */
  known(id: string, sentAt: number): { readonly seq: number; readonly at: number } | null {
    const answered = (this.#points.get(id) ?? []).filter(({ arrival }) => arrival.answeredAt <= sentAt);
    const last = answered.at(-1);
    return last === undefined
      ? null
      : { seq: last.seq, at: Math.max(...answered.map(({ arrival }) => arrival.answeredAt)) };
  }
}
