import { Link } from 'wouter';
import { useInstance } from '../../api/instance.ts';
import { Logo } from '../../components/logo.tsx';
import { BRAND } from '../../content/brand.ts';
import { SITE } from '../../content/site.ts';
import { link } from '../../routes.ts';
import css from './site-footer.module.css';

interface Entry {
  readonly label: string;
  readonly href: string | null;
}

export function SiteFooter() {
  const instance = useInstance();
  const columns: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
    {
      title: 'Product',
      entries: [
        { label: 'Features', href: link.section('features') },
        { label: 'Pricing', href: link.pricing() },
        { label: 'Demo', href: instance?.isDemoAvailable === false ? null : link.demo() },
        { label: 'Enterprise', href: link.enterprise() },
      ],
    },
    {
      title: 'Company',
      entries: [
        { label: 'About', href: link.about() },
        { label: 'Contact', href: link.contact() },
        { label: 'Security', href: link.security() },
        { label: 'Documentation', href: SITE.docsUrl },
        { label: 'Community chat', href: SITE.communityUrl },
      ],
    },
    {
      title: 'Legal',
      entries: [
        { label: 'Privacy Policy', href: link.privacy() },
        { label: 'Terms of Service', href: link.terms() },
        { label: 'License', href: link.license() },
      ],
    },
  ];
  return (
    <footer className={css.footer}>
      <div className={css.inner}>
        <div className={css.brand}>
          <Logo name={BRAND.name} />
          <p>
            Two-way synchronisation for WooCommerce and Shopify.
            {instance && <span className={css.version}> Version {instance.version}</span>}
          </p>
        </div>
        {columns.map(({ title, entries }) => (
          <nav key={title} aria-label={title} className={css.column}>
            <h2>{title}</h2>
            <ul>
              {entries.map(({ label, href }) => href !== null && <FootEntry key={label} label={label} href={href} />)}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  );
}

function FootEntry({ label, href }: { readonly label: string; readonly href: string }) {
  return (
    <li>
      {href.startsWith('http') ? (
        <a href={href} rel="noreferrer">
          {label}
        </a>
      ) : (
        <Link href={href}>{label}</Link>
      )}
    </li>
  );
}
