import { type ReactNode, useRef } from 'react';
import { TEXT } from '../content/messages.en.ts';
import { useOnline } from '../hooks/use-online.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { EmptyShelf } from './empty-shelf.tsx';
import { ErrorPanel } from './error-panel.tsx';
import css from './query-view.module.css';
import { RefetchBar } from './refetch-bar.tsx';
import { staleText } from './stale-text.ts';

/** What a fetch looks like to a page: the fields of a TanStack query that matter here. */
export interface Fetched<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
  readonly isFetchNextPageError?: boolean;
}

interface QueryViewProps<T> {
  readonly query: Fetched<T>;
  readonly loading: ReactNode;
  /** What could not be loaded. */
  readonly failed: string;
  /** The page's heading, where only what was asked for would have brought it. */
  readonly head?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

function requestIdOf(error: Error): string | undefined {
  const id = (error as { requestId?: unknown }).requestId;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Loading, failed, not there, stale and loaded, the same way everywhere. Values that were there stay there. */
export function QueryView<T>({ query, loading, failed, head, children }: QueryViewProps<T>) {
  const { data, isFetching, dataUpdatedAt, refetch, isFetchNextPageError } = query;
  // What is shown is as it was: `ShowMore` tells of it. The query says of what it was the fault only until it asks again.
  const ofNextPage = useRef<Error | null>(null);
  if (isFetchNextPageError) ofNextPage.current = query.error;
  const error = query.error === ofNextPage.current ? null : query.error;
  const isOnline = useOnline();
  // Asking again would not bring it.
  if (error && (error as { status?: unknown }).status === 404)
    return (
      <>
        {head}
        <EmptyShelf title={error.message}>It may have been removed, or belong to another workspace.</EmptyShelf>
      </>
    );
  if (data === undefined) {
    if (error && !(isFetching && !isOnline)) {
      return (
        <>
          {head}
          <ErrorPanel
            title={failed}
            requestId={requestIdOf(error)}
            retryLabel={TEXT.crash.retry}
            onRetry={refetch}
            busy={isFetching}
          >
            {error.message}
          </ErrorPanel>
        </>
      );
    }
    return loading;
  }
  return (
    <div className={css.view}>
      <RefetchBar active={isFetching} />
      {error && (
        <Banner
          tone="warn"
          actions={
            <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
              {TEXT.crash.retry}
            </Button>
          }
        >
          {staleText(error, dataUpdatedAt)}
        </Banner>
      )}
      <div className={css.values} data-stale={error ? true : undefined}>
        {children(data)}
      </div>
    </div>
  );
}
