/**
 * Variants that are in hand at once: of a page of a listing, a batch of jobs, a portion of a plan. A hundred products are nothing to hold, a hundred
 * products of 300 variants are more than a small machine has. One product may have more by itself (`PRODUCT_LIMITS.variantsMax`).
 */
export const VARIANTS_PER_BATCH = 2_500;
