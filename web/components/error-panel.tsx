import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import css from './error-panel.module.css';

interface ErrorPanelProps {
  /** What failed. */
  readonly title: string;
  /** What still works, or the cause where it is known. */
  readonly children?: ReactNode;
  readonly requestId?: string | undefined;
  readonly retryLabel: string;
  readonly onRetry: () => void;
  readonly busy?: boolean;
}

/** In place of what could not be shown. */
export function ErrorPanel({ title, children, requestId, retryLabel, onRetry, busy = false }: ErrorPanelProps) {
  return (
    <div className={css.panel} role="alert">
      <p className={css.title}>{title}</p>
      {children && <p className={css.text}>{children}</p>}
      <div className={css.actions}>
        <Button icon={<RotateCw aria-hidden="true" />} busy={busy} onClick={onRetry}>
          {retryLabel}
        </Button>
        {requestId && (
          <span className={css.request}>
            Request <code>{requestId}</code>
          </span>
        )}
      </div>
    </div>
  );
}
