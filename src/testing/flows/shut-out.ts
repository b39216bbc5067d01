import type { RequestFacts } from '../../connectors/memory/fault-plan.ts';
import type { MemoryPlatform } from '../../connectors/memory/platform.ts';

/** Something on the way answers requests of this kind in the platform's place, until the function that comes back is called. */
export function shutOut(shop: MemoryPlatform, operation: RequestFacts['operation']): () => void {
  const calm = shop.faults;
  shop.faults = {
    ...calm,
    request: (facts) => ({
      ...calm.request(facts),
      fault: facts.operation === operation ? { type: 'html_404' } : null,
    }),
  };
  return () => {
    shop.faults = calm;
  };
}
