import type { MemoryPlatform } from '../../connectors/memory/platform.ts';
import type { Side } from '../../model/platform.ts';
import type { EngineFlow } from './engine-flow.ts';

/** Something that is done in a shop by somebody else, and none of its webhooks arrive. */
export function untold(flow: EngineFlow, side: Side, act: (outside: MemoryPlatform['outside']) => void): void {
  const shop = flow.shop(side);
  const calm = shop.faults;
  shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  act(shop.outside);
  shop.faults = calm;
}
