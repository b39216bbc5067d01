import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from './api/query-client.ts';
import { onPersonChange } from './api/session.ts';
import { dropToasts, ToastShelf } from './components/toast.tsx';

onPersonChange(dropToasts);

export interface QueryRootProps {
  readonly children: ReactNode;
}

/** What every page that fetches stands in. In a file of its own: pages that only tell something do without. */
export function QueryRoot({ children }: QueryRootProps) {
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <ToastShelf />
    </QueryClientProvider>
  );
}
