/** The marketing price list: the specification's numbers. US dollars. */
export interface CloudPlan {
  readonly id: 'free' | 'growth' | 'scale' | 'enterprise';
  readonly name: string;
  /** A month; null: by agreement. */
  readonly price: number | null;
  readonly orders: string;
  readonly overage: string | null;
  readonly isPopular: boolean;
  readonly features: readonly string[];
}

export const CLOUD_PLANS: readonly CloudPlan[] = [
  {
    id: 'free',
    name: 'Free',
    price: 0,
    orders: '200 orders per month',
    overage: null,
    isPopular: false,
    features: ['Unlimited products', 'One pair of stores', 'Plan preview', 'Documentation'],
  },
  {
    id: 'growth',
    name: 'Growth',
    price: 19,
    orders: '5,000 orders per month',
    overage: 'then $0.004 per order',
    isPopular: true,
    features: ['Everything in Free', 'Several pairs', 'Real-time sync', 'Email support'],
  },
  {
    id: 'scale',
    name: 'Scale',
    price: 49,
    orders: '25,000 orders per month',
    overage: 'then $0.003 per order',
    isPopular: false,
    features: ['Everything in Growth', 'Team members and roles', 'Priority support'],
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    price: null,
    orders: 'Your volume',
    overage: null,
    isPopular: false,
    features: ['Everything in Scale', 'An instance of your own', '99.9% uptime SLA', 'A named engineer'],
  },
];

export interface Licence {
  readonly id: 'community' | 'professional' | 'enterprise';
  readonly name: string;
  readonly price: number;
  readonly terms: string;
  readonly features: readonly string[];
}

export const LICENCES: readonly Licence[] = [
  {
    id: 'community',
    name: 'Community',
    price: 0,
    terms: 'MIT, for ever',
    features: ['Every feature', 'No limits, no subscription', 'The source', 'Documentation'],
  },
  {
    id: 'professional',
    name: 'Professional',
    price: 299,
    terms: 'one-time',
    features: ['The same program', '6 months of email support', '30-day refund guarantee'],
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    price: 10_000,
    terms: 'one-time',
    features: ['Help with set-up and rollout', '99.9% uptime SLA', '30-day refund guarantee'],
  },
];

/** What the enterprise page compares: the licence once, and one workspace of the cloud service by the year. */
export const COMPARED = { licence: 10_000, cloudPerYear: 2_400 } as const;

/** The specification's deployment phases, and what happens in them. */
export const DEPLOYMENT_PHASES = [
  { name: 'Discovery', time: '1-2 weeks', text: 'Your stores, your volumes, your rules. A trial run on copies.' },
  { name: 'Infrastructure', time: '1-3 days', text: 'A machine, a domain, backups, monitoring.' },
  { name: 'Deployment', time: '2-4 hours', text: 'Install, connect both stores, read the first plan.' },
  { name: 'Integration', time: '1-2 days', text: 'Alerts, roles, your own tools on the API.' },
] as const;

const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });

/** "$10,000". In the page's language, so that what was drawn at build time is what the browser draws. */
export function dollars(amount: number): string {
  return whole.format(amount);
}
