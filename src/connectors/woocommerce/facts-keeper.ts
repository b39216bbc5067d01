import type { StoreUnits } from '../../model/store-info.ts';
import type { Clock } from '../../ports/clock.ts';
import { shareReading } from '../shared/share-reading.ts';
import type { WooClient } from './client.ts';
import { factsOf, readSettings, readStoreFacts, type StoreFacts, unitOf } from './store-facts.ts';
import { readTaxBasis, taxOf } from './tax-basis.ts';

export interface FactsKeeper {
  /** The facts that numbers are read by now. */
  facts(): Promise<StoreFacts>;
  /** What somebody else has read of the store at this moment (ms). */
  take(facts: StoreFacts, askedAt: number): void;
  /** Asks for the settings anew: three small requests, since each group has its own. */
  readUnits(since: number): Promise<StoreUnits>;
}

export interface FactsKeeperOptions {
  readonly client: WooClient;
  readonly clock: Clock;
  readonly siteUrl: string;
  /** Of WooCommerce, as it was last read; '' when it never was. */
  readonly version: string;
  /** Spares the first question. */
  readonly known: StoreFacts | null;
}

/** A store's settings, as they were last read: whoever reads them says so here, and the latest reading holds. */
export function createFactsKeeper({ client, clock, siteUrl, version, known }: FactsKeeperOptions): FactsKeeper {
  let held: { readonly askedAt: number; readonly facts: Promise<StoreFacts> } | null =
    known === null ? null : { askedAt: 0, facts: Promise.resolve(known) };

  function take(facts: StoreFacts, askedAt: number): void {
    if (held === null || held.askedAt <= askedAt) held = { askedAt, facts: Promise.resolve(facts) };
  }

  const readUnits = shareReading(clock, async (askedAt): Promise<StoreUnits> => {
    const general = await readSettings(client, 'general');
    const [products, tax] = await Promise.all([readSettings(client, 'products'), readTaxBasis(client, general)]);
    const facts = factsOf(siteUrl, general, products, version);
    take(facts, askedAt);
    return { currency: facts.currency, ...taxOf(tax), weightUnit: unitOf(facts) };
  });

  return {
    facts() {
      if (held !== null) return held.facts;
      // Shared by all callers, so no single one's signal may cut it short; a failure is not remembered.
      const mine = { askedAt: clock.now(), facts: readStoreFacts(client, siteUrl, version) };
      held = mine;
      mine.facts.catch(() => {
        if (held === mine) held = null;
      });
      return mine.facts;
    },
    take,
    readUnits,
  };
}
