import type { ReactNode } from 'react';
import { Banner } from '../../../components/banner.tsx';
import { CopyField } from '../../../components/copy-field.tsx';
import css from './api-panel.module.css';
import type { ShownOnce } from './use-shown-once.ts';

interface ShownSecretProps {
  readonly once: ShownOnce;
  readonly label: string;
  readonly children: ReactNode;
}

/** The secret itself, and what to do with it. */
export function ShownSecret({ once, label, children }: ShownSecretProps) {
  if (once.shown === null) return null;
  return (
    <div className={css.stack}>
      <Banner tone={once.isWarned ? 'warn' : 'ok'} urgent>
        {once.isWarned
          ? 'It has not been copied yet, and it is not shown again. Copy it first, or close this once more to go without it.'
          : children}
      </Banner>
      <CopyField
        label={label}
        value={once.shown.secret}
        hint="Shown this once. Keep it where you keep passwords."
        onCopied={once.copied}
      />
    </div>
  );
}
