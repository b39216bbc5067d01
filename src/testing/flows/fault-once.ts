import type { Operation, RequestFacts, RequestFault } from '../../connectors/memory/fault-plan.ts';
import type { MemoryPlatform } from '../../connectors/memory/platform.ts';

/** The next request of this kind meets a fault there. Says whether it has come. */
export function faultOnce(
  shop: MemoryPlatform,
  kind: Operation | ((facts: RequestFacts) => boolean),
  fault: RequestFault,
): () => boolean {
  const isMeant = typeof kind === 'string' ? ({ operation }: RequestFacts) => operation === kind : kind;
  const calm = shop.faults;
  shop.faults = {
    ...calm,
    request: (facts) => {
      if (!isMeant(facts)) return calm.request(facts);
      shop.faults = calm;
      return { ...calm.request(facts), fault };
    },
  };
  return () => shop.faults === calm;
}
