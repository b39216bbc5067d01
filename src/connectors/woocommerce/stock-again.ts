import { ConnectorError } from '../../model/connector-error.ts';
import type { StockReading } from '../../model/stock.ts';
import type { ReadOutcome, StockWrite } from '../../ports/connector.ts';
import type { BatchResult } from './batch.ts';
import type { WooClient } from './client.ts';
import type { WooContext } from './context.ts';
import { isCrash } from './errors.ts';
import { isPerhapsDone } from './firewall.ts';

/** What a firewall turns away twice in a row is sent once at a time for so long, ms: some hosts shut an address out after a few refusals. */
const PAUSE_MS = 15 * 60_000;
const noSecondUntil = new WeakMap<WooClient, number>();

/**
 * Firewalls have their moments. What one has turned away has run to its end or not at all, and where PHP has died nothing runs any more, so a reading
 * tells which: what was not done, and stands as it was, is sent once more. Nothing but the fence would tell it otherwise, and for minutes the shop would
 * sell what is gone.
 */
export async function sendUndoneAgain(
  { client, clock }: WooContext,
  writes: readonly StockWrite[],
  send: (indices: readonly number[]) => Promise<readonly BatchResult[]>,
  read: (stockIds: readonly string[]) => Promise<readonly ReadOutcome<StockReading>[]>,
): Promise<readonly BatchResult[]> {
  const results = [...(await send([...writes.keys()]))];
  const isEnded = (index: number, isSo: (error: ConnectorError) => boolean) => {
    const result = results[index];
    return result?.ok === false && isSo(result.error);
  };
  const isTurnedAway = (index: number) => isEnded(index, isPerhapsDone);
  const crashed = [...writes.keys()].filter((index) => isEnded(index, isCrash));
  const isHeld = clock.now() < (noSecondUntil.get(client) ?? 0);
  // One by itself is the one that PHP dies over.
  const turned = [
    ...(isHeld ? [] : [...writes.keys()].filter(isTurnedAway)),
    ...(crashed.length > 1 ? crashed : []),
  ].sort((a, b) => a - b);
  if (turned.length === 0) return results;
  const readings = await orNone(read(turned.map((index) => writes[index]?.stockId ?? '')));
  const undone = turned.filter((index, at) => {
    const [write, reading] = [writes[index], readings[at]];
    if (write === undefined || reading?.ok !== true) return false;
    const { tracked, quantity, stamp } = reading.value;
    return tracked && quantity === write.expected && stamp !== write.key;
  });
  if (undone.length === 0) return results;
  const again = await send(undone);
  undone.forEach((index, at) => {
    results[index] = again[at] ?? results[index] ?? unanswered();
  });
  if (undone.some(isTurnedAway)) noSecondUntil.set(client, clock.now() + PAUSE_MS);
  return results;
}

async function orNone<T>(reading: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ConnectorError) return [];
    throw error;
  }
}

function unanswered(): BatchResult {
  return { ok: false, error: new ConnectorError('unknown_outcome', 'a stock write got no answer') };
}
