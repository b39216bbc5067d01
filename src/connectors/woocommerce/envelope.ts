import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { ConnectorError } from '../../model/connector-error.ts';
import type { CallOptions, WooAnswer, WooClient } from './client.ts';
import { classifyError } from './errors.ts';
import { withLists } from './php-lists.ts';
import { wire } from './wire.ts';

/** Asked with this, WordPress (since 4.4) puts its whole answer into the body of a 200: status, headers and all. */
export const ENVELOPE = { _envelope: 1 } as const;

const Envelope = Compile(
  Type.Object({ status: Type.Integer(), body: Type.Unknown(), headers: Type.Optional(Type.Unknown()) }),
);

/** The answer in an envelope; null: it is none. Throws what is refused in it. */
export function openEnvelope(data: unknown, clean: (text: string) => string): WooAnswer | null {
  if (!Envelope.Check(data)) return null;
  const { status, body, headers } = data;
  if (status >= 200 && status < 300) return { data: withLists(body), headers: namesLowered(headers) };
  if (wire.error.Check(body)) throw classifyError(body, status, 'read', clean);
  return null;
}

/**
 * A list that not every version serves. Where a page with another status than 404 stands in place of "no such route", the envelope tells that it is one;
 * where it does not either, the page is all that is known.
 */
export async function getMaybeServed(client: WooClient, path: string, options: CallOptions): Promise<WooAnswer> {
  try {
    return await client.get(path, options);
  } catch (error) {
    const code = error instanceof ConnectorError ? error.details.platformCode : undefined;
    if (code !== 'http_200' && code !== 'http_410') throw error;
    const asked = client.get(path, { ...options, query: { ...options.query, ...ENVELOPE } });
    const again = await asked.catch((failure: unknown) => {
      if (failure instanceof ConnectorError) return null;
      throw failure;
    });
    const opened = openEnvelope(again?.data, client.clean);
    if (opened === null) throw error;
    return opened;
  }
}

function namesLowered(headers: unknown): Record<string, string> {
  // An empty one of PHP's is a list.
  const entries = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
