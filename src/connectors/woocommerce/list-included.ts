import type { ConnectorError } from '../../model/connector-error.ts';
import type { CallPriority } from '../shared/rate-gate.ts';
import type { Query, WooClient } from './client.ts';
import { crashedOver, isAlive, knownCrashers } from './crashed-reads.ts';
import { isCrash } from './errors.ts';
import { asRecords, getList } from './record-list.ts';

export interface IncludedRequest {
  readonly path: string;
  readonly query: Query;
  readonly priority?: CallPriority;
  readonly signal?: AbortSignal | undefined;
  /** What is told of each may be little: then that many come quickly does not mean that as many whole ones would. */
  readonly isSmall?: boolean;
}

export interface Taking {
  readonly take: (record: { readonly id: string; readonly raw: unknown }) => void;
  /** PHP dies over that one, and reads others. */
  readonly leave: (id: string, error: ConnectorError) => void;
}

/** After so many one after the other that PHP has died over it is the store that fails, and not they. */
const CRASHES_MAX = 10;

/**
 * The records with these ids, as far as they are in the list, at most as many at once as the store can give. One that PHP dies over ends the answer about
 * all that it is asked for with: it is found by halves, and asked for alone from then on.
 */
export async function listIncluded(
  client: WooClient,
  request: IncludedRequest,
  ids: readonly string[],
  { take, leave }: Taking,
): Promise<void> {
  const { path, priority, signal, isSmall = false } = request;
  const known = knownCrashers(client);
  const idOf = new Map(ids.map((id) => [`${path} ${id}`, id]));
  // Not all of very many are asked for: each has its turn, and what has been mended is read at last.
  const alone = known.among([...idOf.keys()]).flatMap((key) => idOf.get(key) ?? []);
  const forgive = client.pages.remember();
  let isThere = false;
  let crashes = 0;

  async function ask(include: readonly string[]): Promise<void> {
    const query = { ...request.query, include, per_page: 100 };
    const get = async () =>
      asRecords((await getList(client, path, { query, ...(priority ? { priority } : {}), signal })).data);
    const records = await client.pages.ask(include.length, get, ({ length }) => (isSmall ? 0 : length));
    for (const record of records) take(record);
    isThere = true;
    crashes = 0;
  }

  async function leaveOne(id: string, error: ConnectorError): Promise<void> {
    crashes += 1;
    isThere ||= await isAlive(client, signal);
    if (crashes > CRASHES_MAX || !isThere) throw error;
    known.add(`${path} ${id}`);
    leave(id, crashedOver(error));
    forgive();
  }

  let most = Number.POSITIVE_INFINITY;
  for (let rest = ids.filter((id) => !alone.includes(id)); rest.length > 0; ) {
    const include = rest.slice(0, Math.min(client.pages.now, most));
    const [first] = include;
    try {
      await ask(include);
      rest = rest.slice(include.length);
      most *= 2;
    } catch (error) {
      if (client.pages.isSmallerWorth(include.length, error)) continue;
      if (!isCrash(error) || first === undefined) throw error;
      if (include.length > 1) most = Math.ceil(include.length / 2);
      else {
        await leaveOne(first, error);
        rest = rest.slice(1);
      }
    }
  }
  crashes = 0;
  let ended: ConnectorError | null = null;
  for (const id of alone) {
    if (ended !== null) {
      leave(id, crashedOver(ended));
      continue;
    }
    try {
      await ask([id]);
      known.delete(`${path} ${id}`);
    } catch (error) {
      if (!isCrash(error)) throw error;
      await leaveOne(id, error);
      if (crashes === CRASHES_MAX) ended = error;
    }
  }
}
