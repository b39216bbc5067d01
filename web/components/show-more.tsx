import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import css from './show-more.module.css';

/** A list of which more can be had. */
export interface MoreOfList {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
  /** Of a list that comes page by page: narrowed, it begins with one again, and nobody has asked for more of that. */
  readonly data?: { readonly pages: readonly unknown[] } | undefined;
  readonly isFetchNextPageError?: boolean;
  readonly error?: Error | null;
}

interface ShowMoreProps {
  readonly query: MoreOfList;
  readonly children: ReactNode;
}

/** Below a list: brings its next page, as long as there is one. */
export function ShowMore({ query, children }: ShowMoreProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage, data, isFetchNextPageError, error } = query;
  const end = useRef<HTMLParagraphElement>(null);
  const [isPressed, setPressed] = useState(false);
  useEffect(() => {
    // With the last page the button goes, and what has the focus then is nothing.
    if (isPressed && !hasNextPage && document.activeElement === document.body)
      end.current?.focus({ preventScroll: true });
  }, [isPressed, hasNextPage]);
  if (!hasNextPage) {
    return isPressed && (data === undefined || data.pages.length > 1) ? (
      <p ref={end} tabIndex={-1} className={css.end}>
        These are all.
      </p>
    ) : null;
  }
  return (
    <div className={css.more}>
      <Button
        look="ghost"
        busy={isFetchingNextPage}
        onClick={() => {
          setPressed(true);
          void fetchNextPage();
        }}
      >
        {children}
      </Button>
      {isFetchNextPageError && !isFetchingNextPage && (
        <p role="alert" className={css.failed}>
          More could not be read. {error?.message}
        </p>
      )}
    </div>
  );
}
