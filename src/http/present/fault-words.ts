import { type PerSide, PLATFORM_NAME, SIDES, type Side } from '../../model/platform.ts';

/** What the two stores of a pair are called; null: gone. */
export type SideNames = PerSide<string | null>;

/**
 * Why something that reads both stores of a pair failed, with the store named that it failed at. What is kept is the connector's own words, which name
 * their platform ("WooCommerce said …", "this Shopify shop is frozen"); people know their stores by other names.
 */
export function faultWords(message: string, names: SideNames): string {
  const side = sideOf(message);
  const name = side === null ? null : names[side];
  if (side === null || name === null) return message;
  const platform = PLATFORM_NAME[side];
  const named = message
    .replace(new RegExp(`\\b(?:the|this) ${platform} (?:store|shop)\\b`), () => name)
    .replace(new RegExp(`^${platform}\\b`), () => name);
  return named === message ? `${name}: ${message}` : named;
}

/** The platform that is named first: what it says itself may name the other. */
function sideOf(message: string): Side | null {
  const found = SIDES.map((side) => ({ side, at: message.search(new RegExp(`\\b${PLATFORM_NAME[side]}\\b`)) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  return found[0]?.side ?? null;
}
