import css from './logo.module.css';

/** Two shelves, one block each, kept level. */
export function LogoMark() {
  return (
    <svg className={css.mark} viewBox="0 0 24 24" aria-hidden="true">
      <rect x="4" y="2.5" width="6.5" height="6" rx="1" className={css.block} />
      <rect x="2" y="8.5" width="20" height="3" rx="1.25" className={css.board} />
      <rect x="13.5" y="12.5" width="6.5" height="6" rx="1" className={css.block} />
      <rect x="2" y="18.5" width="20" height="3" rx="1.25" className={css.board} />
    </svg>
  );
}

export function Logo({ name }: { readonly name: string }) {
  return (
    <span className={css.logo}>
      <LogoMark />
      <span className={css.name}>{name}</span>
    </span>
  );
}
