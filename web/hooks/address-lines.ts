import { isAddressRange } from '../../src/lib/address-range.ts';

/** What a person typed or pasted as a list of addresses and ranges: one a line, or parted by commas and spaces; each once. */
export function addressesOf(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((part) => part !== ''))];
}

/** The first that is neither an address nor a range of them; null: all are. */
export function firstNoAddress(addresses: readonly string[]): string | null {
  return addresses.find((address) => !isAddressRange(address)) ?? null;
}
