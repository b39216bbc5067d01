import { Menu, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { isSignupClosed, useInstance } from '../../api/instance.ts';
import { useUser } from '../../api/session.ts';
import { ButtonLink, IconButton } from '../../components/button.tsx';
import { Logo } from '../../components/logo.tsx';
import { BRAND } from '../../content/brand.ts';
import { scrollToTop, useScrolledPast } from '../../hooks/use-scroll.ts';
import { link } from '../../routes.ts';
import type { SiteFrameProps } from './lazy-site-frame.ts';
import css from './site-header.module.css';
import { SiteLink } from './site-link.tsx';

/** The specification's: past this the header stands out from the page. */
const SCROLLED_PX = 50;

const ENTRIES = {
  landing: [
    { label: 'Home', href: link.section('home') },
    { label: 'Features', href: link.section('features') },
    { label: 'Performance', href: link.section('performance') },
    { label: 'Pricing', href: link.section('pricing') },
  ],
  public: [
    { label: 'Home', href: link.landing() },
    { label: 'Pricing', href: link.section('pricing') },
    { label: 'About', href: link.about() },
    { label: 'Contact', href: link.contact() },
  ],
} as const;

export function SiteHeader({ kind }: Pick<SiteFrameProps, 'kind'>) {
  const isScrolled = useScrolledPast(SCROLLED_PX);
  const [isOpen, setOpen] = useState(false);
  const [path] = useLocation();
  const toggle = useRef<HTMLDivElement>(null);
  const menuId = useId();
  const close = (): void => setOpen(false);

  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      toggle.current?.querySelector('button')?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen]);

  const entries = ENTRIES[kind].map(({ label, href }) => (
    <li key={label}>
      <SiteLink href={href} className={css.entry} onGo={close} current={href === path && kind === 'public'}>
        {label}
      </SiteLink>
    </li>
  ));
  return (
    <header className={css.header} data-scrolled={isScrolled || undefined} data-open={isOpen || undefined}>
      <div className={css.bar}>
        <button type="button" className={css.logo} aria-label={`${BRAND.name}, to the top`} onClick={scrollToTop}>
          <Logo name={BRAND.name} />
        </button>
        <nav aria-label="Site" className={css.wide}>
          <ul className={css.entries}>{entries}</ul>
        </nav>
        <div className={css.account}>
          <AccountLinks onGo={close} />
        </div>
        <div ref={toggle} className={css.toggle}>
          <IconButton
            label={isOpen ? 'Close menu' : 'Open menu'}
            icon={isOpen ? <X aria-hidden="true" /> : <Menu aria-hidden="true" />}
            aria-expanded={isOpen}
            aria-controls={menuId}
            onClick={() => setOpen(!isOpen)}
          />
        </div>
      </div>
      <nav id={menuId} aria-label="Site menu" className={css.menu} hidden={!isOpen}>
        <ul>
          {entries}
          <li>
            <AccountEntry onGo={close} />
          </li>
        </ul>
      </nav>
    </header>
  );
}

function AccountLinks({ onGo }: { readonly onGo: () => void }) {
  const user = useUser();
  const instance = useInstance();
  if (user) {
    return (
      <ButtonLink href={link.overview()} look="primary">
        Dashboard
      </ButtonLink>
    );
  }
  return (
    <>
      <SiteLink href={link.login()} className={css.login} onGo={onGo}>
        Login
      </SiteLink>
      {!isSignupClosed(instance) && (
        <ButtonLink href={link.signup()} look="primary">
          Get Started
        </ButtonLink>
      )}
    </>
  );
}

/** In the narrow menu, where the bar has room for one button only. */
function AccountEntry({ onGo }: { readonly onGo: () => void }) {
  const user = useUser();
  return (
    <SiteLink href={user ? link.overview() : link.login()} className={css.entry} onGo={onGo}>
      {user ? 'Dashboard' : 'Login'}
    </SiteLink>
  );
}
