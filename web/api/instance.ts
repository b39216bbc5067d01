import { useEffect, useSyncExternalStore } from 'react';
import type { InstanceReply } from '../../src/contracts/auth.ts';

export type Instance = InstanceReply;

const FRESH_MS = 60_000;
const TIMEOUT_MS = 60_000;

let known: Instance | null = null;
let askedAt = Number.NEGATIVE_INFINITY;
const listeners = new Set<() => void>();

/** What may have changed is asked for again when the next page wants it. */
export function forgetInstance(): void {
  askedAt = Number.NEGATIVE_INFINITY;
}

/** Not through `call`, which renews sessions: nobody has to be signed in for this, and public pages load none of that for it. */
async function read(): Promise<Instance> {
  const response = await fetch('/api/instance', {
    headers: { accept: 'application/json', 'x-requested-by': 'dashboard' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`GET /api/instance was answered with ${response.status}`);
  return (await response.json()) as Instance;
}

async function ask(): Promise<void> {
  if (Date.now() - askedAt < FRESH_MS) return;
  askedAt = Date.now();
  try {
    known = await read();
    // For parts that were drawn at build time and stay as they are: styles hide what this instance does not offer.
    document.documentElement.dataset['demo'] = known.isDemoAvailable ? 'on' : 'off';
    for (const listener of listeners) listener();
  } catch {
    // Pages say what they say while it is not known; the next one asks again.
    forgetInstance();
  }
}

/** Known to take no new accounts: whoever has none is invited, and no button offers one. */
export function isSignupClosed(instance: Instance | null): boolean {
  return instance?.isSignupOpen === false;
}

/**
 * What this instance offers to someone who is not signed in; null while it is not known.
 * Public pages load without the query client, so this is kept by hand.
 */
export function useInstance(): Instance | null {
  useEffect(() => void ask(), []);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => known,
    () => null,
  );
}
