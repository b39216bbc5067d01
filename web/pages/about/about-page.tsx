import { useStart } from '../../api/use-start.ts';
import { ButtonLink } from '../../components/button.tsx';
import { SiteHead } from '../../components/site-head.tsx';
import { SitePart } from '../../components/site-part.tsx';
import { ThreeShelves } from '../../components/three-shelves.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import css from './about-page.module.css';

const VALUES = [
  {
    art: 'bowl',
    title: 'Every write recorded',
    text: 'Each write is stored before it is sent. What we changed, where and why can be looked up afterwards.',
  },
  {
    art: 'candle',
    title: 'Halt rather than harm',
    text: 'An empty listing is more often an outage than a wish. Then it stops and asks, with numbers.',
  },
  {
    art: 'plant',
    title: 'Yours to keep',
    text: 'Your machine, your file, your keys. The licence lets you change everything, and leave at any time.',
  },
] as const;

const DIFFERENCES = [
  {
    art: 'mug',
    title: 'Three values, never two',
    text: 'Each field is compared with the last value that both stores agreed on. So it is known who changed what, without trusting clocks.',
  },
  {
    art: 'bottle',
    title: 'Stock is counted',
    text: 'Both stores sell one of ten: both show eight, where most tools would show nine. One gap is left: a sale that WooCommerce is booking in the fraction of a second of our write can be covered by it, and nobody is told.',
  },
  {
    art: 'textile',
    title: 'A crash loses nothing',
    text: 'Each write is stored before it is sent and settled after. When its fate is unknown, that is said.',
  },
] as const;

export function AboutPage() {
  usePageTitle('About');
  const start = useStart(TEXT.about.start, link);
  return (
    <>
      <SiteHead title={TEXT.about.mission} lead={`${BRAND.name} exists so that two stores can be one business.`} />
      <div className={css.story}>
        <h2>Our story</h2>
        <p>
          Stores that sell on WooCommerce and on Shopify keep their shelves level by hand, with spreadsheets, or with
          tools that copy one side over the other. Copies work until both sides change in the same minute, and that is
          the minute that costs money: a sale of something that is gone, a price that nobody set.
        </p>
        <p>
          We built the part that such tools leave out: the memory of what both stores last agreed on, the patience to
          ask when they disagree, and a record of every write. It runs as one small program on a machine of yours.
        </p>
      </div>
      <SitePart title="What is different">
        <ThreeShelves shelves={DIFFERENCES} />
      </SitePart>
      <SitePart
        tone="ink"
        title="The technology"
        lead="One Node.js process, one SQLite file, no queue server, no cluster. Its decisions are pure functions with numbered rules, played by a simulator that crashes it, delays it and lies to it, before any release."
      />
      <SitePart title="What we hold to">
        <ThreeShelves shelves={VALUES} />
      </SitePart>
      <SitePart tone="gold" title="Put two shelves level.">
        <div className={css.actions}>
          <ButtonLink href={start.href} look="primary" size="lg">
            {start.label}
          </ButtonLink>
          <ButtonLink href={link.contact()} size="lg">
            {TEXT.about.sales}
          </ButtonLink>
        </div>
      </SitePart>
    </>
  );
}
