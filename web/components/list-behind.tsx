import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { HiddenText } from './hidden-text.tsx';
import css from './list-behind.module.css';

interface ListBehindProps {
  readonly isBehind: boolean;
  readonly query: { readonly isFetching: boolean; readonly refetch: () => Promise<unknown> };
}

/** Below a long list, and in view wherever in it one is, of which live messages brought the first page only: brings the rest, when a person wants it. */
export function ListBehind({ isBehind, query: { isFetching, refetch } }: ListBehindProps) {
  const done = useRef<HTMLParagraphElement>(null);
  const [isPressed, setPressed] = useState(false);
  useEffect(() => {
    // The button goes, and what has the focus then is nothing.
    if (isPressed && !isBehind && document.activeElement === document.body)
      done.current?.focus({ preventScroll: true });
  }, [isPressed, isBehind]);
  if (!isBehind)
    return isPressed ? (
      <p ref={done} tabIndex={-1} className={css.done}>
        <HiddenText>The list is up to date.</HiddenText>
      </p>
    ) : null;
  return (
    <div className={css.behind} role="status">
      <span>Something changed. The top of this list is up to date; rows further down may be older.</span>
      <Button
        size="sm"
        busy={isFetching}
        onClick={() => {
          setPressed(true);
          void refetch();
        }}
      >
        Refresh the whole list
      </Button>
    </div>
  );
}
