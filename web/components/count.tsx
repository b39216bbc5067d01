import css from './count.module.css';

/** How many wait for a decision. */
export function Count({ children, label }: { readonly children: number; readonly label: string }) {
  return (
    <span className={css.count}>
      <span aria-hidden="true">{children > 99 ? '99+' : children}</span>
      <span className={css.hidden}>{label}</span>
    </span>
  );
}
