import { Check, Copy } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import css from './copy-field.module.css';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: ReactNode;
  readonly onCopied?: () => void;
}

/** Without a secure connection a page has no clipboard of its own, and the old way is the only one. */
async function copyFrom(input: HTMLInputElement): Promise<boolean> {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}

/** A text to take along: an address, a key. Selected as soon as it has the focus. */
export function CopyField({ label, value, hint, onCopied }: CopyFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState<{ readonly value: string; readonly isDone: boolean } | null>(null);
  const state = copied?.value === value ? copied : null;
  const copy = async (): Promise<void> => {
    if (!input.current) return;
    const isDone = await copyFrom(input.current);
    setCopied({ value, isDone });
    if (isDone) onCopied?.();
  };
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label}
      </label>
      <div className={css.row}>
        <input
          ref={input}
          id={id}
          className={css.value}
          readOnly
          value={value}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${id}-note`}
          onFocus={(event) => event.target.select()}
          onCopy={() => onCopied?.()}
        />
        <Button
          icon={state?.isDone ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {state?.isDone ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p id={`${id}-note`} className={css.note} aria-live="polite">
        {state === null
          ? hint
          : state.isDone
            ? 'It is in the clipboard.'
            : 'The browser does not let us copy it. It is selected: press Ctrl C, or ⌘ C.'}
      </p>
    </div>
  );
}
