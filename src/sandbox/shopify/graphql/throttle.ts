/** Shopify's leaky bucket: one per app and store. Points come back continuously. */
export interface ThrottleStatus {
  readonly maximumAvailable: number;
  readonly currentlyAvailable: number;
  readonly restoreRate: number;
}

export interface ThrottleBucket {
  /** Takes the points, or answers false and takes nothing. */
  take(points: number): boolean;
  give(points: number): void;
  status(): ThrottleStatus;
}

export function createThrottleBucket(options: {
  readonly points: number;
  readonly restorePerSecond: number;
  readonly unthrottled: boolean;
  now(): number;
}): ThrottleBucket {
  let available = options.points;
  let refilledAt = options.now();

  const refill = () => {
    const now = options.now();
    available = Math.min(options.points, available + ((now - refilledAt) / 1000) * options.restorePerSecond);
    refilledAt = now;
  };

  return {
    take(points) {
      refill();
      if (available < points && !options.unthrottled) return false;
      available = Math.max(0, available - points);
      return true;
    },
    give(points) {
      refill();
      available = Math.min(options.points, available + points);
    },
    status() {
      refill();
      return {
        maximumAvailable: options.points,
        // A store without limits must not look exhausted to a client that paces itself by what it is told.
        currentlyAvailable: options.unthrottled ? options.points : Math.floor(available),
        restoreRate: options.restorePerSecond,
      };
    },
  };
}
