import { Component, type ErrorInfo, type ReactNode } from 'react';
import { TEXT } from '../content/messages.en.ts';
import { Button } from './button.tsx';
import { EmptyShelf } from './empty-shelf.tsx';

interface Props {
  readonly children: ReactNode;
  /** What is shown: another record, run or plan need not break as well. */
  readonly at?: string;
}

interface State {
  readonly error: Error | null;
}

/** Some errors say how to begin anew. */
function prepareRetry(error: unknown): void {
  const { retry } = error as { readonly retry?: unknown };
  if (typeof retry === 'function') retry();
}

/** Stands in for a page that broke. The shell around it goes on working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.error && before.at !== this.props.at) this.setState({ error: null });
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children;
    return (
      <div role="alert">
        <EmptyShelf
          level={1}
          title={TEXT.crash.title}
          actions={
            <>
              <Button
                look="primary"
                onClick={() => {
                  prepareRetry(this.state.error);
                  this.setState({ error: null });
                }}
              >
                {TEXT.crash.retry}
              </Button>
              <Button onClick={() => location.reload()}>{TEXT.crash.refresh}</Button>
            </>
          }
        >
          {TEXT.crash.body}
        </EmptyShelf>
      </div>
    );
  }
}
