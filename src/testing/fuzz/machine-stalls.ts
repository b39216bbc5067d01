/** Time in which the machine gave this process nothing to run on: other work, a slow disk. Not what a request is to blame for. */
export interface MachineStalls {
  /** So far, ms. */
  total(): number;
  stop(): void;
}

const BEAT_MS = 50;

/** A beat that comes late although the process used no processor time meanwhile was held up by the machine; a loop of our own would have used it. */
export function watchMachine(): MachineStalls {
  let total = 0;
  let at = performance.now();
  let cpu = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(cpu);
    const late = performance.now() - at - BEAT_MS;
    total += Math.max(0, late - (user + system) / 1000);
    at = performance.now();
    cpu = process.cpuUsage();
  }, BEAT_MS);
  return { total: () => total, stop: () => clearInterval(timer) };
}
