export type ToastTone = 'success' | 'error' | 'warning';

export interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  readonly text: string;
}

/** At once on the screen. One more where only errors stand there: what has just been done is answered all the same. */
const SHOWN_MAX = 3;
/** That wait to be read; the oldest go first. */
const ERRORS_MAX = 20;

function isError({ tone }: Toast): boolean {
  return tone === 'error';
}

/** What is kept of them, with a new one. Errors stay until they are put away: only what passes by itself is pushed out, and only by what is newer. */
export function withToast(toasts: readonly Toast[], toast: Toast): readonly Toast[] {
  const all = [...toasts, toast];
  const errors = all.filter(isError).slice(-ERRORS_MAX);
  const passing = all.filter((one) => !isError(one)).slice(-Math.max(1, SHOWN_MAX - errors.length));
  return all.filter((one) => errors.includes(one) || passing.includes(one));
}

/** Those on the screen, and how many errors wait until one of them is put away. */
export function shownOf(toasts: readonly Toast[]): { readonly shown: readonly Toast[]; readonly waiting: number } {
  const late = toasts.filter(isError).slice(SHOWN_MAX);
  return { shown: toasts.filter((toast) => !late.includes(toast)), waiting: late.length };
}
