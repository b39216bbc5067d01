import { useEffect, useSyncExternalStore } from 'react';
import type { InstanceReply } from '../../src/contracts/auth.ts';
import { call } from './request.ts';

export type Instance = InstanceReply;

const FRESH_MS = 60_000;

let known: Instance | null = null;
let askedAt = Number.NEGATIVE_INFINITY;
const listeners = new Set<() => void>();

/** What may have changed is asked for again when the next page wants it. */
export function forgetInstance(): void {
  askedAt = Number.NEGATIVE_INFINITY;
}

async function ask(): Promise<void> {
  if (Date.now() - askedAt < FRESH_MS) return;
  askedAt = Date.now();
  try {
    known = await call('GET /api/instance');
    // For parts that were drawn at build time and stay as they are: styles hide what this instance does not offer.
    document.documentElement.dataset['demo'] = known.isDemoAvailable ? 'on' : 'off';
    for (const listener of listeners) listener();
  } catch {
    // Pages say what they say while it is not known; the next one asks again.
    forgetInstance();
  }
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
