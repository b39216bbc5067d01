import type { StoreId } from '../../model/ids.ts';
import type { EngineContext } from '../context.ts';

/** Where a store's webhooks are to come; null: no store can reach this server. */
export function webhookAddress(ctx: EngineContext, storeId: StoreId): string | null {
  return ctx.publicUrl === null ? null : `${ctx.publicUrl}/api/webhooks/${storeId}`;
}
