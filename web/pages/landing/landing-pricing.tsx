import { useState } from 'react';
import { Link } from 'wouter';
import { useStart } from '../../api/use-start.ts';
import { PRICE_TAB_OPTIONS, type PriceTab, Pricing } from '../../components/pricing.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { SitePart } from '../../components/site-part.tsx';
import { letterHref } from '../../content/site.ts';
import { link } from '../../routes.ts';
import css from './landing-pricing.module.css';

export function LandingPricing() {
  const [tab, setTab] = useState<PriceTab>('cloud');
  return (
    <SitePart
      id="pricing"
      title={
        <>
          Pay for orders,
          <br />
          not for products.
        </>
      }
      aside={<Segmented label="Offer" value={tab} options={PRICE_TAB_OPTIONS} onChange={setTab} />}
    >
      <Pricing
        tab={tab}
        start={useStart('Start free', link)}
        trial={useStart('Start 30-day trial', link)}
        contactHref={(topic) => link.contact({ topic })}
        enterpriseHref={tab === 'cloud' ? letterHref('sales', link.contact) : link.enterprise()}
      />
      <p className={css.more}>
        <Link href={link.pricing({ tab: tab === 'cloud' ? '' : tab })}>Compare everything in them</Link>
      </p>
    </SitePart>
  );
}
