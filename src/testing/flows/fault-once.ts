import type { Operation, RequestFault } from '../../connectors/memory/fault-plan.ts';
import type { MemoryPlatform } from '../../connectors/memory/platform.ts';

/** The next request of this kind meets a fault there. Says whether it has come. */
export function faultOnce(shop: MemoryPlatform, operation: Operation, fault: RequestFault): () => boolean {
  const calm = shop.faults;
  shop.faults = {
    ...calm,
    request: (facts) => {
      if (facts.operation !== operation) return calm.request(facts);
      shop.faults = calm;
      return { ...calm.request(facts), fault };
    },
  };
  return () => shop.faults === calm;
}
