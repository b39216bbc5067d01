import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { parseUrl } from '../shared/parse-url.ts';
import type { CallOptions, WooAnswer, WooClient } from './client.ts';
import { ENVELOPE, openEnvelope } from './envelope.ts';

export interface RecordReader {
  /** One record as sent by the server; throws `not_found` only at WooCommerce's own word for it. */
  get(path: string, options: CallOptions): Promise<unknown>;
  /** Whether a page stands in place of an answer about one record, which the store may well give about others. */
  isReplaced(error: unknown): error is ConnectorError;
}

const PAUSE_MS = 60_000;

/**
 * Web servers are told to put a page of their own in place of each 404 (nginx: `fastcgi_intercept_errors`), with that status, with 200 or by a redirect:
 * the word of WooCommerce, which alone says that a record is gone, is lost then. In an envelope it goes through as every other answer.
 */
export function createRecordReader(client: WooClient, clock: Clock, siteUrl: string): RecordReader {
  /** Until when a store whose envelopes don't come through either is not asked for one. */
  let noEnvelopeUntil = 0;

  async function enveloped(path: string, options: CallOptions): Promise<WooAnswer | null> {
    try {
      return await client.get(path, { ...options, query: { ...options.query, ...ENVELOPE } });
    } catch (error) {
      if (error instanceof ConnectorError) return null;
      throw error;
    }
  }

  return {
    isReplaced: (error) => isReplaced(error, siteUrl),
    async get(path, options) {
      try {
        return (await client.get(path, options)).data;
      } catch (error) {
        if (!isReplaced(error, siteUrl) || clock.now() < noEnvelopeUntil) throw error;
        const answer = openEnvelope((await enveloped(path, options))?.data, client.clean);
        if (answer !== null) return answer.data;
        noEnvelopeUntil = clock.now() + PAUSE_MS;
        throw error;
      }
    },
  };
}

function isReplaced(error: unknown, siteUrl: string): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false;
  const { platformCode = '', platformMessage = '' } = error.details;
  if (/^http_30\d$/.test(platformCode))
    return platformMessage.startsWith('/') || parseUrl(platformMessage)?.host === parseUrl(siteUrl)?.host;
  return /^http_(?:200|404|410)$/.test(platformCode);
}
