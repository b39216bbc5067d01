import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './banner.module.css';
import { classNames } from './class-names.ts';

const ICON = { info: Info, ok: CircleCheck, warn: TriangleAlert, bad: CircleX } as const;

interface BannerProps {
  readonly tone: keyof typeof ICON;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** Read out at once: for answers to what a person just did. */
  readonly urgent?: boolean;
}

/** A sentence in front of everything it is about. */
export function Banner({ tone, children, actions, urgent = false }: BannerProps) {
  const Icon = ICON[tone];
  return (
    <div className={classNames(css.banner, css[tone])} role={urgent ? 'alert' : 'status'}>
      <Icon aria-hidden="true" className={css.icon} />
      <div className={css.text}>{children}</div>
      {actions && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
