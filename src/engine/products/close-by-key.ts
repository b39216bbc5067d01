import type { Tx } from '../../db/database.ts';
import { closeProblemsBySubject } from '../../db/writers/history.ts';
import type { EngineContext } from '../context.ts';
import { closeAmbiguous } from '../matching/ambiguous.ts';
import type { PairView } from '../pair-view.ts';
import { UNSYNCABLE_CODES } from './unsyncable-words.ts';

/** Problems about a record as its store calls it, save one. */
export function closeByKey(ctx: EngineContext, tx: Tx, view: PairView, key: string, kept: string | null): void {
  closeAmbiguous(tx, view.pair.id, key, ctx.clock.now());
  for (const code of [...UNSYNCABLE_CODES, 'READ_REFUSED'])
    if (code !== kept) closeProblemsBySubject(tx, view.pair.id, code, key, ctx.clock.now());
}
