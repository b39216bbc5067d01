import { CircleHelp, Link2, Minus, Plus } from 'lucide-react';
import { classNames } from './class-names.ts';
import css from './diff-glyph.module.css';

export type DiffKind = 'add' | 'mod' | 'del' | 'ask' | 'link' | 'none';

function Tilde() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" strokeLinecap="round">
      <path d="M4 14.5c1.5-4.5 5-5.5 8-2.5s6.5 2 8-2.5" />
    </svg>
  );
}

const GLYPH = { add: Plus, mod: Tilde, del: Minus, ask: CircleHelp, link: Link2, none: Minus } as const;

/** + ~ − as drawings: the font's Latin part lacks some, and screen readers read words instead. */
export function DiffGlyph({ kind, tile = false }: { readonly kind: DiffKind; readonly tile?: boolean }) {
  const Glyph = GLYPH[kind];
  return (
    <span className={classNames(css.glyph, css[kind], tile && css.tile)} aria-hidden="true">
      <Glyph />
    </span>
  );
}
