import { formatMoment } from '../hooks/format.ts';

/** From when the values are, and why there are none from now. Only where no answer came is anything connected anew. */
export function staleText(error: Error, dataUpdatedAt: number, now = new Date()): string {
  const { status } = error as { readonly status?: unknown };
  const isRefused = typeof status === 'number' && status > 0;
  return `As of ${formatMoment(new Date(dataUpdatedAt).toISOString(), now)}. ${isRefused ? error.message : 'Reconnecting.'}`;
}
