import { CLOUD_PLANS, dollars, LICENCES } from '../content/pricing.ts';
import { SITE } from '../content/site.ts';
import { Banner } from './banner.tsx';
import { type PriceCard, PriceShelf } from './price-shelf.tsx';
import css from './pricing.module.css';

export const PRICE_TABS = ['cloud', 'self-hosted'] as const;
export type PriceTab = (typeof PRICE_TABS)[number];

export const PRICE_TAB_OPTIONS = [
  { value: 'cloud', label: 'Cloud' },
  { value: 'self-hosted', label: 'Self-hosted' },
] as const;

interface PricingProps {
  readonly tab: PriceTab;
  /** What a card leads to that costs nothing. */
  readonly start: PriceCard['action'];
  /** What a card leads to that is tried first and paid for later. */
  readonly trial: PriceCard['action'];
  readonly contactHref: (topic: string) => string;
  readonly enterpriseHref: string;
}

/** Both price lists. What can not be bought yet says so, in place of a button that would pretend. */
export function Pricing({ tab, start, trial, contactHref, enterpriseHref }: PricingProps) {
  const isCloud = tab === 'cloud';
  const ask = (name: string): PriceCard['action'] => ({ label: `Ask about ${name}`, href: contactHref('billing') });
  const cloud: readonly PriceCard[] = CLOUD_PLANS.map((plan) => ({
    ...plan,
    price: plan.price === null ? 'Custom' : dollars(plan.price),
    unit: plan.price === null ? '' : 'per month',
    scope: plan.orders,
    note: plan.overage,
    isMain: plan.isPopular,
    badge: plan.isPopular ? 'Popular' : null,
    action:
      plan.id === 'enterprise'
        ? { label: 'Contact sales', href: enterpriseHref }
        : plan.id === 'free'
          ? start
          : SITE.isCloudOpen
            ? trial
            : ask(plan.name),
  }));
  const licences: readonly PriceCard[] = LICENCES.map((licence) => ({
    ...licence,
    price: dollars(licence.price),
    unit: licence.terms,
    scope: licence.id === 'community' ? 'The whole program' : 'Support for your own instance',
    note: null,
    isMain: licence.id === 'community',
    badge: null,
    action:
      licence.id === 'community'
        ? start
        : licence.id === 'enterprise'
          ? { label: 'See Enterprise', href: enterpriseHref }
          : SITE.isLicenceOnSale
            ? { label: 'Buy Professional', href: contactHref('billing') }
            : ask(licence.name),
  }));
  const isAnnounced = isCloud ? !SITE.isCloudOpen : !SITE.isLicenceOnSale;
  return (
    <div className={css.pricing}>
      {isAnnounced && (
        <Banner tone="info">
          {isCloud
            ? 'The cloud service is not open yet: these are the prices it will have. An instance that you run yourself has no limits and no bill.'
            : 'The program is free. Paid licences add support, not features; they are not on sale yet.'}
        </Banner>
      )}
      <PriceShelf cards={isCloud ? cloud : licences} />
      <p className={css.small}>
        {isCloud
          ? '30-day free trial and a 30-day full refund on every paid plan. Prices in US dollars.'
          : '30-day refund guarantee on paid licences. Prices in US dollars.'}
      </p>
    </div>
  );
}
