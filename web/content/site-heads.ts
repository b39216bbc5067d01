import { BRAND } from './brand.ts';

export interface SiteHead {
  readonly title: string;
  readonly description: string;
}

function head(title: string, description: string): SiteHead {
  return { title: `${title} · ${BRAND.name}`, description };
}

/** Title and description of every page that is drawn at build time, by its path; '*' is the page for paths that lead nowhere. */
export const SITE_HEADS: Readonly<Record<string, SiteHead>> = {
  '/': {
    title: BRAND.name,
    description:
      'Keeps the products, prices and stock of a WooCommerce and a Shopify store the same, in both directions. Self-hosted, MIT licence.',
  },
  '/pricing': head('Pricing', 'What the cloud service will cost, and what running it yourself costs: nothing.'),
  '/about': head('About', 'Build once, sync forever: why two stores need one truth, and how this program keeps it.'),
  '/security': head('Security', 'How credentials, webhooks and personal data are kept, control by control.'),
  '/license': head('License', 'The MIT licence, what it asks of you, and answers about commercial use.'),
  '/enterprise': head('Enterprise', 'Your own instance, on your own machines: timeline, cost and guarantee.'),
  '/privacy': head('Privacy Policy', 'What an instance stores about people, for how long, and who can see it.'),
  '/terms': head('Terms of Service', 'The terms under which the service and the program are used.'),
  '/contact': head('Contact', 'Write to the people who run this instance.'),
  '*': head('Page Not Found', 'This address leads nowhere.'),
};
