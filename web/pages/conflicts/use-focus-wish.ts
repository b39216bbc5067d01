import { useEffect, useReducer, useRef } from 'react';

/**
 * Moves the focus to an element that an act of a person brings: as soon as it can be seen, once. What arrives by itself moves nothing. Called
 * with the ids of the elements in question; the first of them that is there gets it.
 */
export function useFocusWish(): (...ids: readonly string[]) => void {
  const wish = useRef<readonly string[]>([]);
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const element = wish.current
      .map((id) => document.getElementById(id))
      .find((known) => known !== null && known.getClientRects().length > 0);
    if (!element) return;
    wish.current = [];
    element.focus();
  });
  return (...ids) => {
    wish.current = ids;
    drawAgain();
  };
}
