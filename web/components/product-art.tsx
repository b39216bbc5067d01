import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './product-art.module.css';

/** Drawn things, standing on the bottom edge of a 64 by 64 box. `tint` and `shade` are classes that follow the colour. */
const ART = {
  mug: (
    <>
      <path d="M44 32h5a8 8 0 0 1 0 16h-5v-6h4a2.5 2.5 0 0 0 0-5h-4z" className={css.tint} />
      <path d="M10 22h34v34a8 8 0 0 1-8 8H18a8 8 0 0 1-8-8z" className={css.tint} />
      <path d="M10 22h34v7H10z" className={css.shade} />
    </>
  ),
  bottle: (
    <>
      <rect x="25" y="4" width="14" height="8" rx="2" fill="#fbbc1f" />
      <path d="M26 12h12v6c0 3 8 6 8 14v28a4 4 0 0 1-4 4H22a4 4 0 0 1-4-4V32c0-8 8-11 8-14z" fill="#2a475b" />
      <path d="M18 38h28v13H18z" fill="#dfe7ee" />
    </>
  ),
  candle: (
    <>
      <path d="M32 2c4 5 5 8 5 10a5 5 0 0 1-10 0c0-2 1-5 5-10z" fill="#f08a2e" />
      <path d="M31 14h2v10h-2z" fill="#4b3b30" />
      <rect x="18" y="23" width="28" height="41" rx="4" fill="#e8e1d6" />
      <path d="M18 36h28v12H18z" fill="#fbbc1f" />
    </>
  ),
  textile: (
    <>
      <rect x="8" y="24" width="48" height="14" rx="5" className={css.tint} />
      <path d="M26 24h12a6 6 0 0 1-12 0z" className={css.shade} />
      <rect x="11" y="38" width="42" height="12" rx="5" className={css.shade} />
      <rect x="8" y="50" width="48" height="14" rx="5" className={css.tint} />
    </>
  ),
  plant: (
    <>
      <path d="M32 34c-2-9-8-14-16-15 1 9 7 15 16 15z" fill="#3f7f42" />
      <path d="M32 34c0-12 5-21 16-26 2 13-5 23-16 26z" fill="#4d9350" />
      <path d="M17 40h30l-4 24H21z" fill="#d0774a" />
      <rect x="14" y="34" width="36" height="8" rx="2" fill="#bb6437" />
    </>
  ),
  bowl: (
    <>
      <path d="M6 30h52c0 14-8 24-18 28v6H24v-6C14 54 6 44 6 30z" fill="#b5462a" />
      <path d="M6 30h52v5H6z" fill="#8c3220" />
    </>
  ),
  bag: (
    <>
      <path d="M22 28v-6a10 10 0 0 1 20 0v6h-4v-6a6 6 0 0 0-12 0v6z" fill="#16463c" />
      <path d="M12 26h40l4 34a4 4 0 0 1-4 4H12a4 4 0 0 1-4-4z" fill="#1f5a4d" />
      <rect x="24" y="40" width="16" height="4" rx="2" fill="#dfe7ee" />
    </>
  ),
  jar: (
    <>
      <rect x="18" y="12" width="28" height="10" rx="2.5" fill="#4f6b77" />
      <path d="M18 24h28a5 5 0 0 1 5 5v29a6 6 0 0 1-6 6H19a6 6 0 0 1-6-6V29a5 5 0 0 1 5-5z" fill="#b9d3de" />
      <rect x="22" y="38" width="20" height="12" rx="2" fill="#f7fafb" />
    </>
  ),
  lamp: (
    <>
      <path d="M22 8h20l8 24H14z" fill="#f2b93b" />
      <path d="M30.5 32h3v26h-3z" fill="#2b3b45" />
      <path d="M20 58h24v6H20z" fill="#2b3b45" />
    </>
  ),
  book: (
    <>
      <rect x="12" y="14" width="12" height="50" rx="2" fill="#a5092a" />
      <rect x="25" y="18" width="12" height="46" rx="2" fill="#f1dfb4" />
      <rect x="38" y="10" width="13" height="54" rx="2" fill="#164dc8" />
    </>
  ),
  can: (
    <>
      <path d="M30 30l18-16 3 3-14 22z" fill="#b98a2f" />
      <path d="M45 10l10 9-3 3-10-9z" fill="#8f6a1f" />
      <path d="M4 36a12 12 0 0 1 12-12h6v4h-6a8 8 0 0 0 0 16v4A12 12 0 0 1 4 36z" fill="#8f6a1f" />
      <path d="M16 30h24l3 34H13z" fill="#d3a540" />
    </>
  ),
  board: (
    <>
      <path
        d="M27 6h10a4 4 0 0 1 4 4v10h7a4 4 0 0 1 4 4v36a4 4 0 0 1-4 4H16a4 4 0 0 1-4-4V24a4 4 0 0 1 4-4h7V10a4 4 0 0 1 4-4z"
        fill="#b98552"
      />
      <circle cx="32" cy="14" r="3" fill="#8a5f35" />
      <path d="M18 28h28v2H18zM18 42h28v2H18zM18 54h28v2H18z" fill="#a3723f" />
    </>
  ),
  basket: (
    <>
      <path d="M18 34c0-22 28-22 28 0h-4c0-17-20-17-20 0z" fill="#8a5f35" />
      <path d="M6 34h52l-6 27a4 4 0 0 1-4 3H16a4 4 0 0 1-4-3z" fill="#c99a5d" />
      <path d="M6 34h52l-1 6H7zM9.5 46h45l-1 5h-43z" fill="#a9783f" />
    </>
  ),
  parcel: (
    <>
      <rect x="9" y="26" width="46" height="38" rx="3" fill="#c79a63" />
      <path d="M9 29a3 3 0 0 1 3-3h40a3 3 0 0 1 3 3v7H9z" fill="#ad7f48" />
      <path d="M28 26h8v18h-8z" fill="#ecd9bb" />
    </>
  ),
} as const satisfies Record<string, ReactNode>;

export type ArtName = keyof typeof ART;

const WORDS: readonly (readonly [RegExp, ArtName])[] = [
  [/mug|cup|tasse/i, 'mug'],
  [/watering|kettle|\bcan\b/i, 'can'],
  [/basket/i, 'basket'],
  [/board|tray/i, 'board'],
  [/bottle|flask|vase|oil|soap|lotion/i, 'bottle'],
  [/candle|beeswax/i, 'candle'],
  [/lamp|light|lantern/i, 'lamp'],
  [/bowl|plate|dish|pan\b/i, 'bowl'],
  [/plant|pot\b|planter|seed|terracotta/i, 'plant'],
  [/bag|tote|apron|pouch/i, 'bag'],
  [/shirt|merino|wool|knit|sock|towel|linen|blanket|throw|sweater|hoodie|crew|scarf|beanie|cap\b|hat\b/i, 'textile'],
  [/jar|tin|honey|jam|coffee|tea\b|spice/i, 'jar'],
  [/book|note|journal|card|print|pencil/i, 'book'],
];

/** What a product looks like, guessed from its words; a parcel when they say nothing. */
export function artFor(...words: readonly string[]): ArtName {
  for (const word of words) {
    const found = WORDS.find(([pattern]) => pattern.test(word));
    if (found) return found[1];
  }
  return 'parcel';
}

const TINTS: readonly (readonly [RegExp, string])[] = [
  [/cream|oat|natural|white|sand|ecru/i, 'cream'],
  [/forest|green|moss|olive|sage/i, 'forest'],
  [/midnight|navy|black|slate|ink/i, 'midnight'],
  [/rust|red|terracotta|brick/i, 'rust'],
];

/** A colour that a variant's name speaks of, or the thing's own. */
export function tintFor(...words: readonly string[]): string {
  const text = words.join(' ');
  return TINTS.find(([pattern]) => pattern.test(text))?.[1] ?? 'own';
}

interface ProductArtProps {
  readonly art: ArtName;
  readonly tint?: string;
  /** Sizes of one product stand beside each other in their proportions: 1 is whole, 3 the smallest. */
  readonly step?: number;
  /** Not there on this side. */
  readonly ghost?: boolean;
  readonly size?: 'sm' | 'lg';
}

export function ProductArt({ art, tint = 'own', step = 1, ghost = false, size = 'lg' }: ProductArtProps) {
  const style = classNames(css.art, css[art], css[size], css[tint], step > 1 && css[`step${step}`], ghost && css.ghost);
  return (
    <svg className={style} viewBox="0 0 64 64" aria-hidden="true">
      {ART[art]}
    </svg>
  );
}

/** The same on a small tinted tile, for lists. */
export function ProductThumb({ art }: { readonly art: ArtName }) {
  return (
    <span className={css.thumb}>
      <ProductArt art={art} size="sm" />
    </span>
  );
}
