/** Every path of the app in one place: the pattern that the router matches, and the function that builds a link to it. */
export const PATTERN = {
  landing: '/',
  pricing: '/pricing',
  about: '/about',
  security: '/security',
  license: '/license',
  enterprise: '/enterprise',
  privacy: '/privacy',
  terms: '/terms',
  contact: '/contact',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  acceptInvite: '/accept-invite',
  overview: '/dashboard',
  demo: '/demo',
  plans: '/plans',
  plan: '/plans/:id',
  history: '/sync/history',
  run: '/runs/:id',
  conflicts: '/conflicts',
  problems: '/problems',
  records: '/records',
  record: '/records/:id',
  stores: '/stores',
  settings: '/settings',
} as const;

/** Every component with its states. Only in builds with WEB_KIT=on. */
export const KIT_PATH = '/kit';

/** The anchored parts of the landing page, in their order. */
export const SECTIONS = ['home', 'features', 'performance', 'pricing', 'get-started', 'testimonials', 'faq'] as const;
export type Section = (typeof SECTIONS)[number];

/** Drawn at build time, each into a file of its own. */
export const DRAWN_PATHS: readonly string[] = [
  ...[PATTERN.landing, PATTERN.pricing, PATTERN.about, PATTERN.security, PATTERN.license, PATTERN.enterprise],
  ...[PATTERN.privacy, PATTERN.terms, PATTERN.contact],
];

type Query = Readonly<Record<string, string | number | null | undefined>>;

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

const segment = encodeURIComponent;

export const link = {
  landing: () => PATTERN.landing,
  section: (section: Section) => `${PATTERN.landing}#${section}`,
  pricing: (query: { tab?: string } = {}) => withQuery(PATTERN.pricing, query),
  about: () => PATTERN.about,
  security: () => PATTERN.security,
  license: () => PATTERN.license,
  enterprise: () => PATTERN.enterprise,
  privacy: () => PATTERN.privacy,
  terms: () => PATTERN.terms,
  contact: (query: { topic?: string; about?: string } = {}) => withQuery(PATTERN.contact, query),
  login: (query: { next?: string; verified?: string } = {}) => withQuery(PATTERN.login, query),
  signup: (query: { email?: string } = {}) => withQuery(PATTERN.signup, query),
  forgotPassword: () => PATTERN.forgotPassword,
  resetPassword: () => PATTERN.resetPassword,
  verifyEmail: () => PATTERN.verifyEmail,
  acceptInvite: () => PATTERN.acceptInvite,
  overview: (query: { tab?: string; filter?: string } = {}) => withQuery(PATTERN.overview, query),
  demo: () => PATTERN.demo,
  activity: (query: { filter?: string } = {}) => withQuery(PATTERN.overview, { tab: 'activity', ...query }),
  plans: () => PATTERN.plans,
  plan: (id: string) => `/plans/${segment(id)}`,
  history: (query: { status?: string } = {}) => withQuery(PATTERN.history, query),
  run: (id: string) => `/runs/${segment(id)}`,
  conflicts: (query: { id?: string; state?: string; q?: string } = {}) => withQuery(PATTERN.conflicts, query),
  problems: () => PATTERN.problems,
  records: (query: { q?: string; state?: string } = {}) => withQuery(PATTERN.records, query),
  record: (id: string) => `/records/${segment(id)}`,
  settings: (query: { tab?: string; refused?: string } = {}) => withQuery(PATTERN.settings, query),
  stores: (query: { connect?: string; pair?: string; store?: string } = {}) => withQuery(PATTERN.stores, query),
} as const;

/** The parameters of `path` under `pattern`, or null when it does not match. A slash at the end is ignored. */
export function matchPattern(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/').filter(Boolean);
  const given = path.split('/').filter(Boolean);
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decode(value);
    else if (part !== value) return null;
  }
  return params;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
