export const MATCH_KEYS = ['mark', 'barcode', 'sku', 'handle'] as const;
/** What two records can be matched by, strongest first. */
export type MatchKey = (typeof MATCH_KEYS)[number];
