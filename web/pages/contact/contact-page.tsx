import { FlaskConical, type LucideIcon, ShieldCheck, Wrench } from 'lucide-react';
import { Link } from 'wouter';
import { useInstance } from '../../api/instance.ts';
import { SiteHead } from '../../components/site-head.tsx';
import { letterHref, SITE } from '../../content/site.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import { ContactForm } from './contact-form.tsx';
import css from './contact-page.module.css';

interface Method {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly href: string | null;
}

export function ContactPage() {
  usePageTitle('Contact');
  const instance = useInstance();
  const methods: readonly Method[] = [
    {
      icon: FlaskConical,
      title: 'Try it first',
      text: 'Two sandbox stores answer many questions faster than a letter.',
      label: 'Open the demo',
      href: instance?.isDemoAvailable === false ? null : link.demo(),
    },
    {
      icon: Wrench,
      title: 'Enterprise',
      text: 'Your own instance, with people who help to run it.',
      label: 'Request a demo',
      href: letterHref('enterpriseDemo', link.contact),
    },
    {
      icon: ShieldCheck,
      title: 'A weakness in the program?',
      text: 'Please report it privately.',
      label: 'How to report',
      href: `${link.security()}#security-contact`,
    },
  ];
  const places = [
    { label: 'Documentation', href: SITE.docsUrl },
    { label: 'Community chat', href: SITE.communityUrl },
    { label: 'Write to sales', href: SITE.salesEmail === null ? null : letterHref('sales', link.contact) },
  ].filter(({ href }) => href !== null);
  return (
    <>
      <SiteHead title="Talk to us." lead="What you write here reaches the people who run this instance." />
      <div className={css.columns}>
        <ContactForm />
        <aside aria-label="Other ways">
          <ul className={css.methods}>
            {methods.map(
              ({ icon: Icon, title, text, label, href }) =>
                href !== null && (
                  <li key={title} className={css.method}>
                    <Icon aria-hidden="true" />
                    <div>
                      <h2>{title}</h2>
                      <p>{text}</p>
                      {href.startsWith('/') ? <Link href={href}>{label}</Link> : <a href={href}>{label}</a>}
                    </div>
                  </li>
                ),
            )}
          </ul>
          {places.length > 0 && (
            <ul className={css.places}>
              {places.map(({ label, href }) => (
                <li key={label}>
                  <a href={href ?? ''} rel="noreferrer">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          )}
          {SITE.responseTimes !== null && (
            <>
              <h2 className={css.timesTitle}>Response times</h2>
              <dl className={css.times}>
                {SITE.responseTimes.map(([topic, time]) => (
                  <div key={topic}>
                    <dt>{topic}</dt>
                    <dd>{time}</dd>
                  </div>
                ))}
              </dl>
            </>
          )}
        </aside>
      </div>
    </>
  );
}
