import { formatMoment } from '../hooks/format.ts';

/**
 * From when the values are (`dataUpdatedAt`: ms; 0: never answered, kept from an earlier visit), and why there are none from now. Only where no
 * answer came is anything connected anew.
 */
export function staleText(error: Error, dataUpdatedAt: number, now = new Date()): string {
  const { status } = error as { readonly status?: unknown };
  const isRefused = typeof status === 'number' && status > 0;
  const when =
    dataUpdatedAt === 0
      ? 'As this browser remembers it.'
      : `As of ${formatMoment(new Date(dataUpdatedAt).toISOString(), now)}.`;
  return `${when} ${isRefused ? error.message : 'Reconnecting.'}`;
}
