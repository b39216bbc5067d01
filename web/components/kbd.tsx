import css from './kbd.module.css';

/** A key, for eyes only: what it does is also a button. */
export function Kbd({ children }: { readonly children: string }) {
  return (
    <span className={css.kbd} aria-hidden="true">
      {children}
    </span>
  );
}
