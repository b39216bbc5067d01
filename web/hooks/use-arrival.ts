import { useEffect, useRef } from 'react';

/** Whether the entry that is shown was come back to; `useReturn` knows, where it is at work. */
export const arrival = { isReturn: (): boolean => false };

/** A route change is announced like a page load: the focus goes to the main part, the view to its top or to the place that the address names. */
export function useArrival(path: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    if (location.hash !== '') return;
    if (!arrival.isReturn()) window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
}
