import { ConnectorError } from '../../model/connector-error.ts';

/** What the platform answers where it does nothing. */

export const notFound = (what: string): ConnectorError => new ConnectorError('not_found', `No such ${what}.`);

export const rejected = (code: string, field: string, words: string, conflictingId?: string): ConnectorError =>
  new ConnectorError('rejected', words, {
    platformCode: code,
    platformMessage: words,
    field,
    ...(conflictingId === undefined ? {} : { conflictingId }),
  });

export const failedItem = (): ConnectorError =>
  new ConnectorError('unavailable', 'This item of the batch failed for itself.');
