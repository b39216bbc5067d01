import { Download } from 'lucide-react';
import { useInstance } from '../../api/instance.ts';
import { useStart } from '../../api/use-start.ts';
import { ButtonLink } from '../../components/button.tsx';
import { SitePart } from '../../components/site-part.tsx';
import { still } from '../../components/still.tsx';
import { SITE } from '../../content/site.ts';
import { link } from '../../routes.ts';
import css from './get-started.module.css';

const Steps = still('steps', () => import('./steps.tsx').then((m) => m.Steps));

const FILES = [
  { label: 'WooCommerce plugin', href: SITE.downloads.plugin },
  { label: 'Enterprise setup package', href: SITE.downloads.enterprise },
];

export function GetStarted() {
  const instance = useInstance();
  const start = useStart('Get Started', link);
  return (
    <SitePart id="get-started" tone="gold" title="Three steps, in this order.">
      <Steps />
      <div className={css.actions}>
        <ButtonLink href={start.href} look="primary" size="lg">
          {start.label}
        </ButtonLink>
        {instance?.isDemoAvailable !== false && (
          <ButtonLink href={link.demo()} size="lg">
            Try the demo first
          </ButtonLink>
        )}
        {FILES.map(
          ({ label, href }) =>
            href !== null && (
              <a key={label} href={href} download className={css.file}>
                <Download aria-hidden="true" />
                {label}
              </a>
            ),
        )}
      </div>
    </SitePart>
  );
}
