import { noAnswer } from './api-error.ts';

/** What only one tab may do at a time, under this name; also the key of the lease. */
const NAME = 'twinshelf-refresh';
const WAIT_MS_MAX = 60_000;
/** A tab that was closed with the lease in hand holds up the others for so long. */
const LEASE_MS = 10_000;
const POLL_MS = 100;
/** Two that take the lease at once have both written after this; the one whose name stands there has it. */
const SETTLE_MS = 50;

interface Lease {
  readonly holder: string;
  readonly until: number;
}

/** Does `work` while no other tab of this browser does. Waits for them, but not for ever: a tab can be frozen. */
export async function inOneTab<T>(work: () => Promise<T>): Promise<T> {
  // Browsers have locks on https and localhost only.
  if (!navigator.locks) return withLease(work);
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(noAnswer()), WAIT_MS_MAX);
  return navigator.locks.request(NAME, { signal: waiting.signal }, () => {
    clearTimeout(timer);
    return work();
  });
}

async function withLease<T>(work: () => Promise<T>): Promise<T> {
  const holder = String(Math.random());
  while (!(await take(holder))) await pause(POLL_MS);
  try {
    return await work();
  } finally {
    if (leaseNow()?.holder === holder) localStorage.removeItem(NAME);
  }
}

async function take(holder: string): Promise<boolean> {
  if (leaseNow() !== null) return false;
  const lease: Lease = { holder, until: Date.now() + LEASE_MS };
  localStorage.setItem(NAME, JSON.stringify(lease));
  await pause(SETTLE_MS);
  return leaseNow()?.holder === holder;
}

/** The lease that somebody has; one from far ahead is a clock that was set back. */
function leaseNow(): Lease | null {
  let lease: Partial<Lease>;
  try {
    lease = JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<Lease>;
  } catch {
    return null;
  }
  const { holder, until = 0 } = lease;
  const leftMs = until - Date.now();
  return holder !== undefined && leftMs > 0 && leftMs <= LEASE_MS ? { holder, until } : null;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
