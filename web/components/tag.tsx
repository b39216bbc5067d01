import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './tag.module.css';

/** A shelf label: a word about a record. */
export function Tag({
  children,
  tone = 'plain',
}: {
  readonly children: ReactNode;
  readonly tone?: 'plain' | 'warn' | 'gold';
}) {
  return <span className={classNames(css.tag, css[tone])}>{children}</span>;
}
