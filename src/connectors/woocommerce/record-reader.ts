import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { parseUrl } from '../shared/parse-url.ts';
import type { CallOptions, WooClient } from './client.ts';
import { classifyError } from './errors.ts';
import { wire } from './wire.ts';

export interface RecordReader {
  /** One record as sent by the server; throws `not_found` only at WooCommerce's own word for it. */
  get(path: string, options: CallOptions): Promise<unknown>;
  /** Whether a page stands in place of an answer about one record, which the store may well give about others. */
  isReplaced(error: unknown): error is ConnectorError;
}

const Envelope = Compile(Type.Object({ status: Type.Integer(), body: Type.Unknown() }));
const PAUSE_MS = 60_000;

/**
 * Web servers are told to put a page of their own in place of each 404 (nginx: `fastcgi_intercept_errors`), with that status, with 200 or by a redirect:
 * the word of WooCommerce, which alone says that a record is gone, is lost then. Asked for with `_envelope`, WordPress puts its whole answer, status and
 * all, into the body of a 200, which goes through as every other answer.
 */
export function createRecordReader(client: WooClient, clock: Clock, siteUrl: string): RecordReader {
  /** Until when a store whose envelopes don't come through either is not asked for one. */
  let noEnvelopeUntil = 0;

  async function opened(path: string, options: CallOptions): Promise<{ status: number; body: unknown } | null> {
    try {
      const query = { ...options.query, _envelope: 1 };
      const { data } = await client.get(path, { ...options, query });
      return Envelope.Check(data) ? data : null;
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
        const answer = await opened(path, options);
        const isShown = answer !== null && answer.status >= 200 && answer.status < 300;
        if (isShown) return answer.body;
        if (answer !== null && wire.error.Check(answer.body))
          throw classifyError(answer.body, answer.status, 'read', client.clean);
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
