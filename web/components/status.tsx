import { CircleCheck, CircleDashed, CircleDot, CircleX, Diamond, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './status.module.css';

export type Tone = 'ok' | 'running' | 'warn' | 'bad' | 'quiet';

const SHAPE = {
  ok: CircleCheck,
  running: CircleDot,
  warn: TriangleAlert,
  bad: CircleX,
  quiet: CircleDashed,
} as const;

interface StatusProps {
  readonly tone: Tone;
  readonly children: ReactNode;
  /** Small marks beside a title: a dot, a diamond or a crossed circle. */
  readonly small?: boolean;
}

/** A shape, a colour and a word: never one of them alone. */
export function Status({ tone, children, small = false }: StatusProps) {
  const Shape = SHAPE[tone];
  return (
    <span className={classNames(css.status, css[tone])}>
      {small && (tone === 'ok' || tone === 'running' || tone === 'quiet') ? (
        <span className={css.dot} aria-hidden="true" />
      ) : small && tone === 'warn' ? (
        <Diamond className={css.diamond} aria-hidden="true" />
      ) : (
        <Shape aria-hidden="true" />
      )}
      <span>{children}</span>
    </span>
  );
}

/** The mark of a list's first column: a tinted tile with the tone's shape. */
export function ToneTile({ tone, icon }: { readonly tone: Tone | 'info'; readonly icon?: ReactNode }) {
  const Shape = SHAPE[tone === 'info' ? 'quiet' : tone];
  return (
    <span className={classNames(css.tile, css[tone])} aria-hidden="true">
      {icon ?? <Shape />}
    </span>
  );
}
