import { formatClock } from '../hooks/format.ts';

/** From when the values are, and why there are none from now. Only where no answer came is anything connected anew. */
export function staleText(error: Error, dataUpdatedAt: number): string {
  const { status } = error as { readonly status?: unknown };
  const isRefused = typeof status === 'number' && status > 0;
  return `As of ${formatClock(new Date(dataUpdatedAt).toISOString())}. ${isRefused ? error.message : 'Reconnecting.'}`;
}
