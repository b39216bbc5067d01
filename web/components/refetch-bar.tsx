import css from './refetch-bar.module.css';

/** Two pixels that say: what you see stays, and is being looked at again. */
export function RefetchBar({ active }: { readonly active: boolean }) {
  return <div className={css.bar} data-active={active || undefined} aria-hidden="true" />;
}
