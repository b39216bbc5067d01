import { hasDelivered } from '../../db/readers/deliveries.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Finding } from '../../model/store-info.ts';
import type { EngineContext } from '../context.ts';

/** For so long a delivery that came tells that others will, ms: as long as deliveries are kept, or a quiet week would be an alarm. */
const LATELY_MS = 7 * DAY_MS;

/**
 * The doctor's findings without what was seen to be otherwise: a platform's rules say which addresses it does not deliver to, but a plugin or the shop's
 * own network may let it. Only signed deliveries are kept, so that nobody else can have sent them.
 */
export function withoutRefuted(ctx: EngineContext, store: StoreRow, findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(isUndeliverable) || !hasDelivered(ctx.db, store.id, ctx.clock.now() - LATELY_MS)) return findings;
  return findings.filter((finding) => !isUndeliverable(finding));
}

function isUndeliverable({ code }: Finding): boolean {
  return code === 'WEBHOOKS_UNDELIVERABLE';
}
