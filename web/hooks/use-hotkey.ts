import { useEffect } from 'react';
import { areSingleKeysOn } from './single-keys.ts';

/** Inputs that take no text: a letter means nothing to them. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['radio', 'checkbox', 'button', 'submit', 'reset']);

/** Whether a key goes into text that is being typed. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (target instanceof HTMLInputElement && WITHOUT_TEXT.has(target.type)) return false;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

/** Calls `action` on Ctrl or Command with `key`, except while a dialog is open. */
export function useCommandKey(key: string, action: (() => void) | null): void {
  useEffect(() => {
    if (!action) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== key || !(event.metaKey || event.ctrlKey) || event.repeat) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [key, action]);
}

/** Calls `action` on a single key, unless something is being typed or the person has turned single keys off (WCAG 2.1.4). */
export function useSingleKey(key: string, action: (() => void) | null): void {
  useEffect(() => {
    if (!action) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== key || event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return;
      if (!areSingleKeysOn() || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [key, action]);
}

export const COMMAND_KEY = /Mac|iPhone|iPad/.test(typeof navigator === 'undefined' ? '' : navigator.userAgent)
  ? '\u2318'
  : 'Ctrl';

const SECOND_KEY_WITHIN_MS = 1_200;

/** Calls `go` with the second of two keys, e.g. `G` then `O`. `go` must be stable. */
export function useTwoKeys(first: string, go: (second: string) => void): void {
  useEffect(() => {
    let until = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return;
      if (!areSingleKeysOn() || document.querySelector('dialog[open]')) return;
      const key = event.key.toLowerCase();
      if (event.timeStamp < until) {
        until = 0;
        go(key);
      } else if (key === first) until = event.timeStamp + SECOND_KEY_WITHIN_MS;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [first, go]);
}
