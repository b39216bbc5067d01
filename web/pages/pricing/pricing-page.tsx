import { useStart } from '../../api/use-start.ts';
import { FaqList } from '../../components/faq-list.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { PRICE_TAB_OPTIONS, PRICE_TABS, type PriceTab, Pricing } from '../../components/pricing.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { SiteHead } from '../../components/site-head.tsx';
import { SitePart } from '../../components/site-part.tsx';
import { FAQ } from '../../content/faq.ts';
import { letterHref } from '../../content/site.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { oneOf, useQueryState } from '../../hooks/use-query-state.ts';
import { link } from '../../routes.ts';

const COMPARED: Readonly<
  Record<PriceTab, { readonly columns: readonly string[]; readonly rows: readonly (readonly [string, ...string[]])[] }>
> = {
  cloud: {
    columns: ['', 'Free', 'Growth', 'Scale', 'Enterprise'],
    rows: [
      ['Orders per month', '200', '5,000', '25,000', 'Your volume'],
      ['Beyond that', 'Orders wait', '$0.004 per order', '$0.003 per order', 'By agreement'],
      ['Products', 'Unlimited', 'Unlimited', 'Unlimited', 'Unlimited'],
      ['Plan preview and conflicts', 'Yes', 'Yes', 'Yes', 'Yes'],
      ['Trial and refund', 'Nothing to pay', '30 days, 30 days', '30 days, 30 days', '30-day refund'],
      ['Support', 'Documentation', 'Email', 'Priority', 'A named engineer'],
    ],
  },
  'self-hosted': {
    columns: ['', 'Community', 'Professional', 'Enterprise'],
    rows: [
      ['Price', '$0', '$299 one-time', '$10,000 one-time'],
      ['Program and features', 'All', 'All', 'All'],
      ['Limits', 'None', 'None', 'None'],
      ['Support', 'Documentation', '6 months by email', 'Set-up and rollout'],
      ['Guarantee', 'The source is yours', '30-day refund', '30-day refund, 99.9% uptime SLA'],
    ],
  },
};

export function PricingPage() {
  usePageTitle('Pricing');
  const [params, change] = useQueryState();
  const tab = oneOf(params.get('tab'), PRICE_TABS) ?? 'cloud';
  const { columns, rows } = COMPARED[tab];
  return (
    <>
      <SiteHead
        title="Pay for orders, not for products."
        lead="Two ways to use it: a cloud service that counts orders, or an instance of your own, which counts nothing."
      >
        <Segmented
          label="Offer"
          value={tab}
          options={PRICE_TAB_OPTIONS}
          onChange={(next) => change({ tab: next === 'cloud' ? null : next })}
        />
      </SiteHead>
      <SitePart title={tab === 'cloud' ? 'Cloud' : 'Self-hosted'}>
        <Pricing
          tab={tab}
          start={useStart('Start free', link)}
          trial={useStart('Start 30-day trial', link)}
          contactHref={(topic) => link.contact({ topic })}
          enterpriseHref={tab === 'cloud' ? letterHref('sales', link.contact) : link.enterprise()}
        />
      </SitePart>
      <SitePart title="Side by side">
        <PlainTable
          caption={`${tab === 'cloud' ? 'Cloud plans' : 'Licences'} compared`}
          columns={columns}
          rows={rows}
        />
      </SitePart>
      <SitePart title="Questions">
        <FaqList questions={FAQ} />
      </SitePart>
    </>
  );
}
