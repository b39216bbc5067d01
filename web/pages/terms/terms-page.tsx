import { Link } from 'wouter';
import { LongText, type TextPart } from '../../components/long-text.tsx';
import { SiteHead } from '../../components/site-head.tsx';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';

const PARTS: readonly TextPart[] = [
  {
    id: 'agreement',
    title: 'What you agree to',
    body: (
      <p>
        By creating an account on this instance you agree to these terms and to the{' '}
        <Link href={link.privacy()}>privacy policy</Link>. The agreement is between you and whoever runs the instance.
      </p>
    ),
  },
  {
    id: 'service',
    title: 'The service',
    body: (
      <p>
        The program keeps a WooCommerce and a Shopify store the same, as you set it up. It writes to your stores what
        you planned, decided or allowed by a rule, and records each write.
      </p>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <ul>
        <li>Keep your password to yourself, and tell the operator when somebody else has it.</li>
        <li>Connect only stores that you may connect.</li>
        <li>Do not use the service to harm it, its other users, or the platforms.</li>
      </ul>
    ),
  },
  {
    id: 'payment',
    title: 'Payment',
    body: (
      <p>
        What you run yourself costs nothing. Where an operator offers paid plans, the prices are those of its{' '}
        <Link href={link.pricing()}>price list</Link>, with a 30-day free trial and a 30-day full refund. Upgrades are
        effective immediately with proration, downgrades at the next billing cycle.
      </p>
    ),
  },
  {
    id: 'program',
    title: 'The program',
    body: (
      <p>
        Its source is licensed to you under the <Link href={link.license()}>MIT licence</Link>, which these terms do not
        narrow.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Warranty and liability',
    body: (
      <p>
        The program is provided as it is. Check the first plan, keep backups of your stores, and look into the stores
        before you resume a sync that was halted. As far as the law allows, the operator is not liable for lost sales or
        data.
      </p>
    ),
  },
  {
    id: 'end',
    title: 'The end of it',
    body: (
      <p>
        You may leave at any time; both stores keep everything that they have. The operator may close an account that
        breaks these terms, with notice where that is possible.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    body: (
      <p>
        The date above says when these terms last changed. What changes to your disadvantage is announced 30 days
        before.
      </p>
    ),
  },
];

export function TermsPage() {
  usePageTitle('Terms of Service');
  return (
    <>
      <SiteHead
        title="Terms of Service"
        lead="Short, so that you can read them. An operator may replace them by their own."
      />
      <LongText parts={PARTS} updated="21 November 2026" />
    </>
  );
}
