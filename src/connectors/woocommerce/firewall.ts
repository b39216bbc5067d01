import { ConnectorError } from '../../model/connector-error.ts';
import type { BatchItem, BatchOptions } from './batch.ts';
import type { WooClient } from './client.ts';

/** What holds text of people, which firewalls look through: "select … from" in a description is an attack to them. */
const TEXTS = [
  { param: 'description', field: 'descriptionHtml' },
  { param: 'name', field: 'title' },
] as const;

export const LET_THROUGH =
  'have requests of this server to /wp-json/wc/v3/ left alone there, or ask the host to (ModSecurity)';

export function hasTexts(items: readonly BatchItem[]): boolean {
  return items.some(({ body }) => TEXTS.some(({ param }) => param in body));
}

/**
 * Whether a batch was turned away for what it says, by a page before WordPress has run: one that says nothing is let through at the same time. Where that
 * is turned away too, it is not about this batch, and passes.
 */
export async function isForWhatItSays(
  client: WooClient,
  error: ConnectorError,
  options: BatchOptions,
): Promise<boolean> {
  if (!isTurnedAway(error)) return false;
  try {
    await client.send('POST', '/products/batch', {}, { ...options, intent: 'read' });
    return true;
  } catch (failure) {
    if (!(failure instanceof ConnectorError)) throw failure;
    return failure.kind === 'rejected';
  }
}

/**
 * What holds no text that could be left out. A rule that looks at answers turns away what WordPress has carried out, so it is not known what became of it;
 * and what stays so is told of with these words, and tried ever more seldom: some hosts shut an address out after a few refusals.
 */
export function turnedAway({ details }: ConnectorError): ConnectorError {
  const words = `a firewall or security plugin in front of WooCommerce turns it away (status ${details.httpStatus}), though it lets others through: ${LET_THROUGH}`;
  return new ConnectorError('unknown_outcome', words, { ...details, platformMessage: words });
}

/** What `turnedAway` says of a write. */
export function isPerhapsDone({ kind, details: { httpStatus = 0, platformCode } }: ConnectorError): boolean {
  return kind === 'unknown_outcome' && platformCode === `http_${httpStatus}` && isRefusal(httpStatus);
}

/** Tried again as it is, it would be turned away for ever: a person is told, and the rest of the product goes on without it. */
export function refusedForItsWords({ body }: BatchItem, { details }: ConnectorError): ConnectorError {
  const field = TEXTS.find(({ param }) => param in body)?.field;
  const words = 'a firewall or security plugin in front of WooCommerce does not let it through, though it lets others';
  return new ConnectorError('rejected', words, {
    ...{ ...details, platformMessage: words, ...(field === undefined ? {} : { field }) },
    remedy:
      'Have requests to /wp-json/wc/v3/ left alone there, or ask the host to (ModSecurity); it is tried again by itself.',
  });
}

/** By a page of something before WordPress, which is there. */
export function isTurnedAway({ kind, details: { httpStatus = 0, platformCode } }: ConnectorError): boolean {
  return kind === 'unavailable' && platformCode === `http_${httpStatus}` && isRefusal(httpStatus);
}

/** Behind a 408 it may still be at work. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 404 && status !== 408;
}
