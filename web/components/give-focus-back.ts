/** The browser forgets where the focus was when a window leaves with what it belongs to, or was opened by an address. `before`: what had it. */
export function giveFocusBack(before: Element | null): void {
  if (document.activeElement !== document.body) return;
  const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
  (isThere ? before : document.getElementById('main'))?.focus({ preventScroll: true });
}
