import { ConnectorError } from '../../model/connector-error.ts';
import { idText } from '../shared/exact-json.ts';
import type { CallOptions, WooAnswer, WooClient } from './client.ts';
import { getMaybeServed } from './envelope.ts';

/** One answer of a list. That of all variations is not served by each version. */
export function getList(client: WooClient, path: string, options: CallOptions): Promise<WooAnswer> {
  return path === '/variations' ? getMaybeServed(client, path, options) : client.get(path, options);
}

/** A list of records with readable ids; anything else is not an answer of this API. */
export function asRecords(data: unknown): { id: string; raw: unknown }[] {
  if (!Array.isArray(data))
    throw new ConnectorError('malformed', 'the WooCommerce store answered with something other than a list');
  return data.map((raw: unknown) => {
    const id = idText((raw as { id?: unknown } | null)?.id);
    if (id === null) throw new ConnectorError('malformed', 'the WooCommerce store listed a record without an id');
    return { id, raw };
  });
}
