import { useInstance } from '../../api/instance.ts';
import { useUser } from '../../api/session.ts';
import { useStart } from '../../api/use-start.ts';
import { ButtonLink } from '../../components/button.tsx';
import { still } from '../../components/still.tsx';
import { BRAND } from '../../content/brand.ts';
import { link } from '../../routes.ts';
import css from './hero.module.css';

const HeroPicture = still('hero', () => import('./hero-picture.tsx').then((m) => m.HeroPicture));

export function Hero() {
  const user = useUser();
  const instance = useInstance();
  const start = useStart('Start free', link);
  return (
    <section id="home" tabIndex={-1} aria-label={BRAND.name} className={css.hero}>
      <h1 className={css.title}>
        Two stores,
        <br />
        kept level.
      </h1>
      <div className={css.words}>
        <p className={css.lead}>
          {BRAND.name} keeps the products, variants, prices and stock of a WooCommerce and a Shopify store the same, in
          both directions. You see the plan before it is written, and what both sides changed goes by your rule, or
          waits for you.
        </p>
        <div className={css.actions}>
          <ButtonLink href={user ? link.overview() : start.href} look="primary" size="lg">
            {user ? 'Open the dashboard' : start.label}
          </ButtonLink>
          {instance?.isDemoAvailable !== false && (
            <ButtonLink href={link.demo()} size="lg">
              Open the demo
            </ButtonLink>
          )}
        </div>
      </div>
      <HeroPicture />
    </section>
  );
}
