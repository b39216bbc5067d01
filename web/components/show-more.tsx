import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import css from './show-more.module.css';

interface ShowMoreProps {
  /** A list that is read page by page. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  readonly children: ReactNode;
}

/** Below a list: reads its next page, as long as there is one. */
export function ShowMore({ query, children }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className={css.more}>
      <Button look="ghost" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {children}
      </Button>
    </div>
  );
}
