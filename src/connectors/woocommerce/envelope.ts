import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { WooAnswer } from './client.ts';
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

function namesLowered(headers: unknown): Record<string, string> {
  // An empty one of PHP's is a list.
  const entries = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
