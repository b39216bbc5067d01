import type { StoreRow } from '../../db/schema/store.ts';
import { Refusal } from '../../model/refusal.ts';

const FIELD = 'shopifyLocationId';

/**
 * The place that a person named, by the id that the store itself gives it; the number alone, as admin addresses have it, is enough. Refused with
 * the places that there are: a pair with another one could not even be planned.
 */
export function knownLocation(store: StoreRow | null, named: string): string {
  const places = store?.info?.locations ?? [];
  // A store that was not let tell its places: the doctor says so, and reading its stock fails in words.
  if (places.length === 0) return named;
  const place = places.find(({ id }) => id === named || id.endsWith(`/${named}`));
  if (place?.isActive === true) return place.id;
  const active = places.filter(({ isActive }) => isActive).map(({ id, name }) => `${id} (${name})`);
  const message =
    place === undefined
      ? `${FIELD}: ${store?.name ?? 'The store'} has no such location. Use one of ${active.join(', ')}, or null for its first; one that was just added is known after the store's connection was tested.`
      : `${FIELD}: ${place.name} is switched off. Use one of ${active.join(', ')}, or null for the first.`;
  throw new Refusal('VALIDATION', message, { fields: [{ field: FIELD, message }] });
}
