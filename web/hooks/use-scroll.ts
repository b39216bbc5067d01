import { useEffect, useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

/** Whether the page is scrolled by more than `px`. */
export function useScrolledPast(px: number): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.scrollY > px,
    () => false,
  );
}

function behavior(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
}

/** Glides to the top and leaves the focus at the beginning of the page. */
export function scrollToTop(): void {
  window.scrollTo({ top: 0, behavior: behavior() });
  document.getElementById('main')?.focus({ preventScroll: true });
}

/** Glides to an anchored part, which also gets the focus; false when it is not on this page. */
export function scrollToPart(id: string): boolean {
  const part = document.getElementById(id);
  if (!part) return false;
  part.scrollIntoView({ behavior: behavior() });
  part.focus({ preventScroll: true });
  return true;
}

/** Parts above the one that is wanted have arrived by then. */
const FOLLOWED_MS = 2_000;
const OWN_SCROLLING = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** For pages with anchored parts: who arrives by a link of the app is brought to the part that the address names. */
export function useHashArrival(): void {
  useEffect(() => {
    // Whoever is at work on the page already stays where they are.
    const isAtWork = document.activeElement?.closest('section[id]') != null;
    const id = location.hash.slice(1);
    if (id === '' || isAtWork) return;
    document.getElementById(id)?.focus({ preventScroll: true });
    // What arrives above it pushes it down: it is followed until all is there, or until the person scrolls.
    const follow = new ResizeObserver(() => document.getElementById(id)?.scrollIntoView({ behavior: 'auto' }));
    follow.observe(document.body);
    const stop = (): void => {
      follow.disconnect();
      clearTimeout(timer);
      for (const event of OWN_SCROLLING) window.removeEventListener(event, stop);
    };
    const timer = setTimeout(stop, FOLLOWED_MS);
    for (const event of OWN_SCROLLING) window.addEventListener(event, stop, { passive: true });
    return stop;
  }, []);
}
