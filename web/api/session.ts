import { useSyncExternalStore } from 'react';
import type { User } from '../../src/contracts/auth.ts';

/**
 * Who is signed in, as the browser keeps it. The storage keys are the specification's. The refresh token lives in an httpOnly
 * cookie; one that an older version left in the storage is still honoured.
 */
const KEY = {
  accessToken: 'accessToken',
  refreshToken: 'refreshToken',
  user: 'user',
  onboarding: 'hasSeenOnboarding',
} as const;

const listeners = new Set<() => void>();
let cachedText: string | null = null;
let cachedUser: User | null = null;

const personListeners = new Set<() => void>();
/** Undefined: nobody has looked yet. */
let lastPerson: string | null | undefined;

/** Told before anything is drawn anew: what belongs to another person or workspace has to be gone by then. */
export function onPersonChange(listener: () => void): void {
  personListeners.add(listener);
}

function announce(): void {
  const person = getPersonKey();
  if (person !== lastPerson) for (const listener of personListeners) listener();
  lastPerson = person;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (lastPerson === undefined) lastPerson = getPersonKey();
  if (listeners.size === 0) window.addEventListener('storage', announce);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', announce);
  };
}

export function getAccessToken(): string | null {
  return localStorage.getItem(KEY.accessToken);
}

export function getStoredRefreshToken(): string | null {
  return localStorage.getItem(KEY.refreshToken);
}

export function getUser(): User | null {
  const text = getAccessToken() === null ? null : localStorage.getItem(KEY.user);
  if (text !== cachedText) {
    cachedText = text;
    cachedUser = parseUser(text);
  }
  return cachedUser;
}

/** Somebody in one workspace: in another they are somebody else. */
export function personKeyOf({ id, workspace }: User): string {
  return `${id} ${workspace._id}`;
}

/** Who is signed in, and into which workspace; null: nobody. */
export function getPersonKey(): string | null {
  const user = getUser();
  return user && personKeyOf(user);
}

function parseUser(text: string | null): User | null {
  if (text === null) return null;
  try {
    const user = JSON.parse(text) as Partial<User>;
    return typeof user.id === 'string' && user.workspace ? (user as User) : null;
  } catch {
    return null;
  }
}

export function storeSession(accessToken: string, user: User): void {
  isExpired = false;
  localStorage.setItem(KEY.accessToken, accessToken);
  localStorage.setItem(KEY.user, JSON.stringify(user));
  announce();
}

/** After a renewal: `user` says whether the session has gone on in another workspace meanwhile. Where nobody was signed in here yet, it is not for this to say. */
export function storeRenewed(accessToken: string, user: User): void {
  const isKnown = getUser() !== null;
  localStorage.setItem(KEY.accessToken, accessToken);
  localStorage.removeItem(KEY.refreshToken);
  if (isKnown) localStorage.setItem(KEY.user, JSON.stringify(user));
  announce();
}

let isExpired = false;
let wasDemo = false;

/** `expired`: it ended by itself, and the sign-in page says so. Many calls learn of one end: what the first of them says is so. */
export function clearSession(why: 'signed_out' | 'expired' = 'signed_out'): void {
  if (getAccessToken() !== null) {
    isExpired = why === 'expired';
    wasDemo = getUser()?.isDemo === true;
  }
  for (const key of Object.values(KEY)) localStorage.removeItem(key);
  announce();
}

/** Whether the last session ended by itself. */
export function hasExpired(): boolean {
  return isExpired;
}

/** Whether that was a demo: with its session all of it is gone. */
export function isDemoOver(): boolean {
  return isExpired && wasDemo;
}

/** The person signed in, or null. Follows other tabs. */
export function useUser(): User | null {
  return useSyncExternalStore(subscribe, getUser, () => null);
}
