const TIMES_MAX = 200_000;

/** When a request's headers had been read and when its answer had left, in milliseconds since 1970 with fractions. */
export interface CallTime {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly receivedAtMs: number;
  readonly answeredAtMs: number;
}

/** What the store was asked. Counts are always kept, times only while recording. */
export class Stats {
  readonly calls: Record<string, number> = {};
  readonly statuses: Record<string, number> = {};
  readonly times: CallTime[] = [];
  isRecording = false;
  total = 0;

  count(method: string, route: string, status: number): void {
    this.total++;
    const name = `${method} ${route}`;
    this.calls[name] = (this.calls[name] ?? 0) + 1;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }

  record(time: CallTime): void {
    if (this.isRecording && this.times.length < TIMES_MAX) this.times.push(time);
  }

  reset(): void {
    for (const key of Object.keys(this.calls)) delete this.calls[key];
    for (const key of Object.keys(this.statuses)) delete this.statuses[key];
    this.times.length = 0;
    this.total = 0;
  }
}
