/** Of processor time, for one answer: some password hashes fit into it, a search that goes through all ways does not. */
const CPU_MS_MAX = 1_000;
/** Of waiting, for one answer, while work of the same size is done this many times faster. */
const WAIT_MS_MAX = 3_000;
const FASTER_TIMES = 5;
const TRIES = 3;

/** Milliseconds so far: of the processor's time that this process has used, and on the clock. */
export interface Meter {
  cpuMs(): number;
  nowMs(): number;
  /** Uses that much of the processor's time. */
  burn(cpuMs: number): void;
}

const METER: Meter = {
  cpuMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  nowMs: () => performance.now(),
  burn(cpuMs) {
    const until = METER.cpuMs() + cpuMs;
    let sum = 0;
    while (METER.cpuMs() < until) for (let n = 0; n < 100_000; n++) sum += n;
    if (Number.isNaN(sum)) throw new Error('a sum of numbers is a number');
  },
};

/**
 * Whether an answer is slow by itself, and not because the machine had other things to do: the request is sent again, alone, three times. Its best
 * time counts: of the processor, which other programs do not lengthen, and on the clock, next to a plain request and work of the same size, done
 * just after. Null: it was the machine.
 */
export async function confirmSlow(
  send: () => Promise<unknown>,
  plain: () => Promise<unknown>,
  meter = METER,
): Promise<string | null> {
  let cpuMs = Number.POSITIVE_INFINITY;
  let waitMs = Number.POSITIVE_INFINITY;
  let sameMs = 0;
  for (let time = 0; time < TRIES; time++) {
    const own = await measure(send, meter);
    const same = await measure(async () => {
      await plain();
      meter.burn(own.cpuMs);
    }, meter);
    cpuMs = Math.min(cpuMs, own.cpuMs);
    waitMs = Math.min(waitMs, own.waitMs);
    sameMs = Math.max(sameMs, same.waitMs);
  }
  if (cpuMs > CPU_MS_MAX) return `used ${Math.round(cpuMs)} ms of processor time, each time of ${TRIES}`;
  if (waitMs <= WAIT_MS_MAX || waitMs < FASTER_TIMES * sameMs) return null;
  return `took ${Math.round(waitMs)} ms, each time of ${TRIES}, and work of the same size ${Math.round(sameMs)} ms`;
}

async function measure(work: () => Promise<unknown>, meter: Meter) {
  const from = { cpuMs: meter.cpuMs(), nowMs: meter.nowMs() };
  await work();
  return { cpuMs: meter.cpuMs() - from.cpuMs, waitMs: meter.nowMs() - from.nowMs };
}
