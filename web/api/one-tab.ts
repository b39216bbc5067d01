import { noAnswer } from './api-error.ts';

/** What only one tab may do at a time, under this name; also the key of the lease. */
const NAME = 'twinshelf-refresh';
const WAIT_MS_MAX = 60_000;
/** A tab that was closed with the lease in hand holds up the others for so long. */
const LEASE_MS = 10_000;
const POLL_MS = 100;
/** Two that take the lease at once have both written after this; the one whose name stands there has it. */
const SETTLE_MS = 50;

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
    if (holderNow() === holder) localStorage.removeItem(NAME);
  }
}

async function take(holder: string): Promise<boolean> {
  if (holderNow() !== null) return false;
  localStorage.setItem(NAME, `${Date.now() + LEASE_MS} ${holder}`);
  await pause(SETTLE_MS);
  return holderNow() === holder;
}

/** Who has the lease; one from far ahead is a clock that was set back. */
function holderNow(): string | null {
  const [until, holder = null] = (localStorage.getItem(NAME) ?? '').split(' ');
  const leftMs = Number(until) - Date.now();
  return leftMs > 0 && leftMs <= LEASE_MS ? holder : null;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
