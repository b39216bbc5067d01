import { useEffect } from 'react';
import { arrival } from './use-arrival.ts';

/** How far down each entry of the tab's history was when it was left, the oldest first. */
const places = new Map<string, number>();
const PLACES_MAX = 200;
/** What a page consists of has arrived by then. */
const FOLLOWED_MS = 2_000;
const OWN_SCROLLING = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

let keysGiven = 0;

/** What the entry that is shown is known by. It is kept in the entry itself, beside what else pages keep there. */
function entryKey(): string {
  const state = history.state as { readonly entry?: unknown } | null;
  if (typeof state?.entry === 'string') return state.entry;
  keysGiven += 1;
  // Entries outlive the page that they were made by: it stands in the key.
  const entry = `${performance.timeOrigin}/${keysGiven}`;
  history.replaceState({ ...state, entry }, '');
  return entry;
}

function remember(): void {
  const key = entryKey();
  places.delete(key);
  places.set(key, window.scrollY);
  const [oldest] = places.keys();
  if (places.size > PLACES_MAX && oldest !== undefined) places.delete(oldest);
}

/** Scrolls to a place as soon as the page is long enough for it, unless the person scrolls first. Returns how to let it be. */
function follow(top: number, onEnd: () => void): () => void {
  const look = new ResizeObserver(() => {
    window.scrollTo({ top, behavior: 'instant' });
    if (Math.abs(window.scrollY - top) <= 1) end();
  });
  const end = (): void => {
    look.disconnect();
    clearTimeout(timer);
    for (const event of OWN_SCROLLING) window.removeEventListener(event, end);
    onEnd();
  };
  const timer = setTimeout(end, FOLLOWED_MS);
  for (const event of OWN_SCROLLING) window.addEventListener(event, end, { passive: true });
  look.observe(document.body);
  return end;
}

/**
 * Back and Forward lead to where the person was on that page. The browser would go there before the page is drawn, when it is too short.
 * For the pages of the shell, whose lists are long: the others do without its bytes.
 */
export function useReturn(): void {
  useEffect(() => {
    let stop: (() => void) | null = null;
    let shown = location.pathname;
    let poppedTo: string | null = null;
    arrival.isReturn = () => entryKey() === poppedTo;
    const onMove = (): void => {
      shown = location.pathname;
      if (stop === null) remember();
    };
    const onPop = (): void => {
      stop?.();
      poppedTo = entryKey();
      const isNamed = location.hash !== '' && location.pathname !== shown;
      shown = location.pathname;
      if (isNamed) return;
      stop = follow(places.get(poppedTo) ?? 0, () => {
        stop = null;
      });
    };
    const byHand = (): void => {
      history.scrollRestoration = 'manual';
    };
    // A page that is loaded anew, or come back to from elsewhere, is the browser's to scroll.
    const byBrowser = (): void => {
      history.scrollRestoration = 'auto';
    };
    byHand();
    // Ahead of the router, which draws the other page at once.
    window.addEventListener('popstate', onPop, true);
    window.addEventListener('scroll', onMove, { passive: true });
    // The router's: a filter was changed, and the entry with its key replaced.
    window.addEventListener('replaceState', onMove);
    window.addEventListener('pagehide', byBrowser);
    window.addEventListener('pageshow', byHand);
    return () => {
      stop?.();
      byBrowser();
      arrival.isReturn = () => false;
      window.removeEventListener('popstate', onPop, true);
      window.removeEventListener('scroll', onMove);
      window.removeEventListener('replaceState', onMove);
      window.removeEventListener('pagehide', byBrowser);
      window.removeEventListener('pageshow', byHand);
    };
  }, []);
}
