import { CircleCheck, CircleX, TriangleAlert, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import css from './toast.module.css';

type ToastTone = 'success' | 'error' | 'warning';

interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  readonly text: string;
}

const SHOWN_MS = 5000;
const TOASTS_MAX = 3;
const ICON = { success: CircleCheck, error: CircleX, warning: TriangleAlert } as const;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where what came of an act is told: `showToast`, or within a window, behind which a notice can neither be read out nor put away. */
export type Tell = typeof showToast;

/** Says something in passing. It must also be recorded where it can be read again. */
export function showToast(tone: ToastTone, text: string): void {
  if (toasts.some((toast) => toast.text === text)) return;
  lastId += 1;
  publish([...toasts, { id: lastId, tone, text }].slice(-TOASTS_MAX));
}

/** For another person, or another workspace: what was said to the one before is not for them. */
export function dropToasts(): void {
  publish([]);
}

function dismiss(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

function ToastRow({ toast }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  const staysUntilDismissed = toast.tone === 'error';
  useEffect(() => {
    if (isHeld || staysUntilDismissed) return;
    const timer = setTimeout(() => dismiss(toast.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, staysUntilDismissed, toast.id]);
  const Icon = ICON[toast.tone];
  return (
    <li
      className={classNames(css.toast, css[toast.tone])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon aria-hidden="true" className={css.icon} />
      <span className={css.text}>{toast.text}</span>
      <IconButton label="Dismiss" size="sm" icon={<X aria-hidden="true" />} onClick={() => dismiss(toast.id)} />
    </li>
  );
}

/** Where toasts appear. One for the whole app. */
export function ToastShelf() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => toasts,
  );
  return (
    <section aria-label="Notices" aria-live="polite" className={css.shelf}>
      <ol className={css.list}>
        {shown.map((toast) => (
          <ToastRow key={toast.id} toast={toast} />
        ))}
      </ol>
    </section>
  );
}
