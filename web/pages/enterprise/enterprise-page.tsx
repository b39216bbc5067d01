import { Download } from 'lucide-react';
import { ButtonLink } from '../../components/button.tsx';
import { CheckList } from '../../components/check-list.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { SiteHead } from '../../components/site-head.tsx';
import { SitePart } from '../../components/site-part.tsx';
import { ThreeShelves } from '../../components/three-shelves.tsx';
import { GAINS, withBasis } from '../../content/claims.ts';
import { COMPARED, DEPLOYMENT_PHASES, dollars } from '../../content/pricing.ts';
import { letterHref, SITE } from '../../content/site.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import css from './enterprise-page.module.css';

const BENEFITS = [
  {
    art: 'bottle',
    title: 'On your machines',
    text: 'One process and one file behind your own proxy. Nothing leaves your network but calls to your stores, and the mail and messages that you ask for.',
  },
  {
    art: 'textile',
    title: 'No meter running',
    text: 'No limit on orders, products or people, and no bill that grows with your sales.',
  },
  {
    art: 'bowl',
    title: 'Yours to change',
    text: 'The source is MIT. Your engineers can read each rule of the sync, and the test that proves it.',
  },
] as const;

const FEATURES = [
  ...['Every feature of the program', 'As many pairs of stores as the machine carries', 'Roles in each workspace'],
  ...['Webhooks verified, credentials sealed', 'Safety halts with numbers'],
  'Backups each night and before every upgrade',
];
const SUPPORT = ['Help with set-up and rollout', '99.9% uptime SLA', '30-day refund guarantee'];

/** While no licence is on sale, nothing here sells one or promises what only comes with it. */
const OFFER = SITE.isLicenceOnSale
  ? {
      lead: 'the same program, with people who help to run it.',
      buy: 'Buy a license',
      support: 'What the licence adds',
      announced: undefined,
      price: undefined,
      promise: 'Thirty days to change your mind.',
      terms: '30-day refund guarantee on the licence, 99.9% uptime SLA while support runs.',
    }
  : {
      lead: 'the same program, on a machine of your own.',
      buy: 'Ask about Enterprise',
      support: 'What a licence will add',
      announced:
        'The program is free, and all of it is yours. The Enterprise licence adds support, not features; it is not on sale yet.',
      price: 'The licence is not on sale yet: this is what it will cost.',
      promise: 'Try it first: the program is free.',
      terms:
        'The licence is not on sale yet. It will come with a 30-day refund guarantee, and a 99.9% uptime SLA while support runs.',
    };

export function EnterprisePage() {
  usePageTitle('Enterprise');
  const { licence, cloudPerYear } = COMPARED;
  const demo = letterHref('enterpriseDemo', link.contact);
  const buy = letterHref('enterpriseLicence', link.contact);
  return (
    <>
      <SiteHead
        title="Your own instance, on your own terms."
        lead={`For stores whose stock is too important for somebody else’s server: ${OFFER.lead}`}
      >
        <ButtonLink href={demo} look="primary" size="lg">
          Request a demo
        </ButtonLink>
        <ButtonLink href={buy} size="lg">
          {OFFER.buy}
        </ButtonLink>
      </SiteHead>
      <SitePart title="Why your own">
        <ThreeShelves shelves={BENEFITS} />
      </SitePart>
      <SitePart title="What is in it">
        <CheckList items={FEATURES} wide />
      </SitePart>
      <SitePart title={OFFER.support} lead={OFFER.announced}>
        <CheckList items={SUPPORT} wide />
      </SitePart>
      <SitePart title="Deployment, phase by phase">
        <ol className={css.timeline}>
          {DEPLOYMENT_PHASES.map(({ name, time, text }) => (
            <li key={name} className={css.phase}>
              <div className={css.label}>
                <h3>{name}</h3>
                <p className={css.time}>{time}</p>
              </div>
              <p className={css.text}>{text}</p>
            </li>
          ))}
        </ol>
      </SitePart>
      <SitePart title="What it costs, and when it pays" lead={OFFER.price}>
        <PlainTable
          caption="Licence against cloud service"
          columns={['', 'Enterprise licence', 'Cloud service']}
          rows={[
            ['Price', `${dollars(licence)} one-time`, `${dollars(cloudPerYear)} per year`],
            ...[3, 5].map((years) => [`In ${years} years`, dollars(licence), dollars(years * cloudPerYear)] as const),
            ...withBasis(GAINS).map(({ label, value }) => [label, value, 'None'] as const),
          ]}
        />
        <p className={css.assumptions}>
          For one workspace of the cloud service: the licence pays after {Math.ceil((licence / cloudPerYear) * 12)}{' '}
          months, and sooner with several. Your machine and your time are not in it: put your own numbers in before you
          decide.
        </p>
      </SitePart>
      <SitePart
        title="Security"
        lead="Keys sealed, webhooks verified, addresses checked, roles on every route. The security page lists each control, and what is left to you."
        aside={<ButtonLink href={link.security()}>Read the security page</ButtonLink>}
      />
      <SitePart tone="gold" title={OFFER.promise} lead={OFFER.terms}>
        <div className={css.actions}>
          <ButtonLink href={demo} look="primary" size="lg">
            Request a demo
          </ButtonLink>
          {SITE.downloads.enterprise !== null && (
            <a href={SITE.downloads.enterprise} download className={css.file}>
              <Download aria-hidden="true" />
              Setup package
            </a>
          )}
        </div>
      </SitePart>
    </>
  );
}
