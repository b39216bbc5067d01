import { ConnectorError } from '../../model/connector-error.ts';

/** Kinds that promise "nothing happened" would be a lie once a step of the write has gone through [C8]. */
export function partlyDone(error: ConnectorError): ConnectorError {
  if (error.kind === 'rejected' || error.kind === 'not_found' || error.kind === 'unknown_outcome') return error;
  return new ConnectorError(
    'unknown_outcome',
    `only a part of the write was carried out: ${error.message}`,
    error.details,
  );
}
