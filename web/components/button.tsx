import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import css from './button.module.css';
import { classNames } from './class-names.ts';

type Look = 'default' | 'primary' | 'ghost' | 'danger' | 'gold';
type Size = 'sm' | 'md' | 'lg';

interface ButtonStyle {
  readonly look?: Look;
  readonly size?: Size;
  /** Takes the whole width. */
  readonly wide?: boolean;
  readonly icon?: ReactNode;
}

function styleOf({ look = 'default', size = 'md', wide = false }: ButtonStyle, more?: string): string {
  return classNames(css.button, css[look], css[size], wide && css.wide, more);
}

interface ButtonProps extends ButtonStyle, Omit<ComponentProps<'button'>, 'className'> {
  readonly className?: string | undefined;
  /** Shows that work is going on; further presses do nothing, but the focus stays. */
  readonly busy?: boolean;
}

export function Button({ look, size, wide, icon, busy = false, children, className, onClick, ...rest }: ButtonProps) {
  const style = { ...(look && { look }), ...(size && { size }), ...(wide && { wide }) };
  return (
    <button
      type="button"
      {...rest}
      className={styleOf(style, className)}
      aria-disabled={busy || rest['aria-disabled']}
      data-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span className={css.spinner} aria-hidden="true" /> : icon}
      {children !== undefined && <span className={css.text}>{children}</span>}
    </button>
  );
}

interface ButtonLinkProps extends ButtonStyle {
  readonly href: string;
  readonly children: ReactNode;
  /** Where the browser leaves our pages: what is noted before. */
  readonly onClick?: () => void;
}

export function ButtonLink({ href, children, icon, onClick, ...style }: ButtonLinkProps) {
  const inside = (
    <>
      {icon}
      <span className={css.text}>{children}</span>
    </>
  );
  // Mailboxes and other sites are the browser's to open.
  if (!href.startsWith('/')) {
    return (
      <a href={href} className={styleOf(style)} onClick={onClick}>
        {inside}
      </a>
    );
  }
  return (
    <Link href={href} className={styleOf(style)}>
      {inside}
    </Link>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  /** Read out, and shown on hover. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly look?: Look;
  readonly size?: Size;
}

export function IconButton({ label, icon, look = 'ghost', size = 'md', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classNames(css.button, css[look], css[size], css.iconOnly)}
    >
      {icon}
    </button>
  );
}
