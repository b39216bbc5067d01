import { CircleCheck, CircleX, TriangleAlert, X } from 'lucide-react';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import css from './toast.module.css';
import { shownOf, type Toast, type ToastTone, withToast } from './toasts.ts';

const SHOWN_MS = 5000;
const ICON = { success: CircleCheck, error: CircleX, warning: TriangleAlert } as const;

let toasts: readonly Toast[] = [];
let lastId = 0;
/** Places for toasts that are on the page, the newest last: that one has them. */
let shelves: readonly string[] = [];
const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

function publish(next: readonly Toast[]): void {
  toasts = next;
  announce();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where what came of an act is told: `showToast`, or beside it in a sheet that stays. */
export type Tell = typeof showToast;

/** Says something in passing. It must also be recorded where it can be read again. */
export function showToast(tone: ToastTone, text: string): void {
  if (toasts.some((toast) => toast.text === text)) return;
  lastId += 1;
  publish(withToast(toasts, { id: lastId, tone, text }));
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

interface ToastShelfProps {
  /** In the flow of a modal window, and not over the page. */
  readonly isInWindow?: boolean;
}

/**
 * Where toasts appear: one for the whole app, and one in each modal window. What stands behind a window can neither be read out nor put
 * away, so they are in the window that was opened last.
 */
export function ToastShelf({ isInWindow = false }: ToastShelfProps) {
  const me = useId();
  useEffect(() => {
    shelves = [...shelves, me];
    announce();
    return () => {
      shelves = shelves.filter((one) => one !== me);
      announce();
    };
  }, [me]);
  const all = useSyncExternalStore(subscribe, () => (shelves.at(-1) === me ? toasts : NONE));
  const { shown, waiting } = shownOf(all);
  return (
    <section aria-label="Notices" aria-live="polite" className={isInWindow ? css.inWindow : css.shelf}>
      <ol className={css.list}>
        {shown.map((toast) => (
          <ToastRow key={toast.id} toast={toast} />
        ))}
        {waiting > 0 && <li className={css.toast}>{waiting} more: dismiss one to read on.</li>}
      </ol>
    </section>
  );
}

const NONE: readonly Toast[] = [];
