import type { ConnectorError } from '../../model/connector-error.ts';
import type { Finding } from '../../model/store-info.ts';

/** What the doctor says of a platform that did not answer. */
export function findingOf({ kind, message }: ConnectorError): Finding {
  const isShutOut = kind === 'unauthorized';
  return {
    code: isShutOut ? 'STORE_UNAUTHORIZED' : 'STORE_UNREACHABLE',
    level: 'error',
    message,
    remedy: isShutOut ? 'Enter the credentials again.' : 'Try again later.',
  };
}
