import type { KeyboardEvent, ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { scrollToPart } from '../../hooks/use-scroll.ts';
import { PATTERN } from '../../routes.ts';

interface SiteLinkProps {
  readonly href: string;
  readonly className?: string | undefined;
  readonly onGo?: () => void;
  readonly current?: boolean;
  readonly children: ReactNode;
}

/** Entries of the headers answer to Enter and to Space. */
function pressOnSpace(event: KeyboardEvent<HTMLAnchorElement>): void {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}

/** A link of a header: to a page, or to a part of the landing page, to which it glides when that is the page. */
export function SiteLink({ href, className, onGo, current = false, children }: SiteLinkProps) {
  const [path] = useLocation();
  const [, part] = href.split('#');
  return (
    <Link
      href={href}
      className={className ?? ''}
      {...(current ? { 'aria-current': 'page' as const } : {})}
      onKeyDown={pressOnSpace}
      onClick={() => {
        onGo?.();
        // After the address has changed.
        if (part && path === PATTERN.landing) setTimeout(() => scrollToPart(part));
      }}
    >
      {children}
    </Link>
  );
}
