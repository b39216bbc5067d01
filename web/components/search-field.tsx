import { Search } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSingleKey } from '../hooks/use-hotkey.ts';
import { Kbd } from './kbd.tsx';
import css from './search-field.module.css';

const WAIT_MS = 250;

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  /** Called when the person pauses. */
  readonly onChange: (value: string) => void;
}

/** Narrows a list. `/` goes there, Escape empties it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const ref = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [asked, setAsked] = useState(value);
  if (value !== asked) {
    setAsked(value);
    setText(value);
  }
  // Pages hand over a new function with each drawing: were the pause counted anew for it, a busy store's list would never be narrowed.
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  }, [onChange]);
  useEffect(() => {
    if (text === asked) return;
    const timer = setTimeout(() => {
      setAsked(text);
      latest.current(text);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [text, asked]);
  useSingleKey(
    '/',
    useCallback(() => ref.current?.focus(), []),
  );
  return (
    <div className={css.box}>
      <Search aria-hidden="true" className={css.icon} />
      <input
        ref={ref}
        type="search"
        className={css.input}
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('');
        }}
      />
      <span className={css.key}>
        <Kbd>/</Kbd>
      </span>
    </div>
  );
}
