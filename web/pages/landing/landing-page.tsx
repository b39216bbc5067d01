import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import { useInstance } from '../../api/auth.ts';
import { useUser } from '../../api/session.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Logo } from '../../components/logo.tsx';
import { TwinShelfPicture } from '../../components/twin-shelf-picture.tsx';
import { BRAND } from '../../content/brand.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import css from './landing-page.module.css';

export function LandingPage() {
  usePageTitle(BRAND.name);
  const user = useUser();
  const { data: instance } = useInstance();
  return (
    <div className={css.page}>
      <header className={css.header}>
        <Logo name={BRAND.name} />
        <nav aria-label="Account" className={css.account}>
          {user ? (
            <ButtonLink href={link.overview()} look="primary">
              Dashboard
            </ButtonLink>
          ) : (
            <>
              <Link href={link.login()} className={css.login}>
                Login
              </Link>
              {instance?.isSignupOpen !== false && (
                <ButtonLink href={link.signup()} look="primary">
                  Get Started
                </ButtonLink>
              )}
            </>
          )}
        </nav>
      </header>
      <div className={css.hero}>
        <h1 className={css.title}>
          Two stores,
          <br />
          kept level.
        </h1>
        <div className={css.words}>
          <p className={css.lead}>
            {BRAND.name} keeps the products, variants, prices and stock of a WooCommerce and a Shopify store the same,
            in both directions. You see every change before it is written, and nothing is overwritten behind your back.
          </p>
          <div className={css.actions}>
            <ButtonLink href={user ? link.overview() : link.signup()} look="primary" size="lg">
              {user ? 'Open the dashboard' : 'Connect your stores'}
            </ButtonLink>
            {instance?.isDemoAvailable !== false && (
              <ButtonLink href={link.demo()} size="lg" icon={<ArrowRight aria-hidden="true" />}>
                Open the demo
              </ButtonLink>
            )}
          </div>
        </div>
      </div>
      <div className={css.picture}>
        <TwinShelfPicture />
      </div>
      <p className={css.note}>Self-hosted, one process, one SQLite file. MIT licence.</p>
    </div>
  );
}
