import { Download } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { BRAND } from '../../../content/brand.ts';
import { CopyButton } from '../copy-button.tsx';
import { saveFile } from '../save-file.ts';
import css from './recovery-codes.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Shown once. On the page and not in a dialog: a slip of the hand must not close them. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const id = useId();
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // All of them, not only the heading that gets the focus.
    head.current?.parentElement?.scrollIntoView({ block: 'nearest' });
    head.current?.focus({ preventScroll: true });
  }, []);
  const text = codes.join('\n');
  return (
    <section aria-labelledby={id} className={css.codes}>
      <h4 id={id} ref={head} tabIndex={-1} className={css.title}>
        Your recovery codes
      </h4>
      <p>
        They are shown this once. Keep them where you can reach them without your phone: each signs you in one time in
        place of a code from the app.
      </p>
      <ol className={css.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={css.actions}>
        <CopyButton text={text} label="Copy codes" />
        <Button
          icon={<Download aria-hidden="true" />}
          onClick={() => saveFile(`${BRAND.name.toLowerCase()}-recovery-codes.txt`, `${text}\n`, 'text/plain')}
        >
          Download
        </Button>
        <Button look="primary" onClick={onDone}>
          I saved them
        </Button>
      </div>
    </section>
  );
}
