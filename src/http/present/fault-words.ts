import { type PerSide, PLATFORM_NAME, SIDES, type Side } from '../../model/platform.ts';

export interface SideName {
  /** What people call the store. */
  readonly name: string;
  /** Where it is called: "https://shop.example". */
  readonly url: string;
}

/** The two stores of a pair; null: gone, or not asked for. */
export type SideNames = PerSide<SideName | null>;

/**
 * Why something that reads both stores of a pair failed, with the store named that it failed at. What is kept is the connector's own words: they name
 * their platform ("WooCommerce said …", "this Shopify shop is frozen"), or the host that gave no answer. People know their stores by other names.
 */
export function faultWords(message: string, sides: SideNames): string {
  const side = sideOf(message) ?? sideOfHost(message, sides);
  const name = side === null ? null : (sides[side]?.name ?? null);
  if (side === null || name === null) return message;
  const platform = PLATFORM_NAME[side];
  const named = message
    .replace(new RegExp(`\\b(?:the|this) ${platform} (?:store|shop)\\b`), () => name)
    .replace(new RegExp(`^${platform}\\b`), () => name);
  return named === message ? `${message} (${name})` : named;
}

/** The platform that is named first: what it says itself may name the other. */
function sideOf(message: string): Side | null {
  const found = SIDES.map((side) => ({ side, at: message.search(new RegExp(`\\b${PLATFORM_NAME[side]}\\b`)) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  return found[0]?.side ?? null;
}

/** Two stores of one machine differ by their ports only. */
function sideOfHost(message: string, sides: SideNames): Side | null {
  const words = ` ${message.replace(/[/,;]/g, ' ')} `;
  for (const isExact of [true, false]) {
    const found = SIDES.filter((side) => {
      const url = URL.parse(sides[side]?.url ?? '');
      if (url === null) return false;
      const port = url.port || (url.protocol === 'http:' ? '80' : '443');
      return words.includes(` ${url.hostname} ${isExact ? `on port ${port} ` : ''}`);
    });
    if (found.length === 1) return found[0] ?? null;
  }
  return null;
}
