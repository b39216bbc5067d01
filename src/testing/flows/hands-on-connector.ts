import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Connector } from '../../ports/connector.ts';

/** By title: what the connectors say cannot be kept the same, and what its shop hides. */
interface Marks {
  readonly unsyncable: ReadonlyMap<string, NonNullable<ProductSnapshot['unsyncable']>>;
  readonly withheld: ReadonlyMap<string, string>;
}

/** So that single functions can be taken from it. */
export function bound(connector: Connector): Connector {
  return new Proxy(connector, {
    get: (target, name: keyof Connector) => {
      const value = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The connector, with some products declared unfit or hidden by their titles. */
export function refusing(connector: Connector, { unsyncable, withheld }: Marks, hands: Partial<Connector>): Connector {
  const mark = (snapshot: ProductSnapshot): ProductSnapshot => {
    const why = withheld.get(snapshot.fields.title);
    return {
      ...snapshot,
      ...(why === undefined ? {} : { withheld: why }),
      unsyncable: unsyncable.get(snapshot.fields.title) ?? snapshot.unsyncable,
    };
  };
  const own: Partial<Connector> = {
    readProducts: async (ids, signal) => {
      const outcomes = await connector.readProducts(ids, signal);
      return outcomes.map((outcome) => (outcome.ok ? { ok: true, value: mark(outcome.value) } : outcome));
    },
    findByKeys: async (keys, signal) => (await connector.findByKeys(keys, signal)).map(mark),
    scan: async function* (request) {
      for await (const page of connector.scan(request)) yield { ...page, snapshots: page.snapshots.map(mark) };
    },
  };
  return new Proxy(connector, {
    get: (target, name: keyof Connector) => {
      const value = hands[name] ?? own[name] ?? target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
