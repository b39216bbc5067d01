import { type LazyPage, lazyPart, type PageProps } from './lazy-page.tsx';
import { SHELL } from './pages/shell/lazy-shell.ts';
import type { QueryRootProps } from './query-root.tsx';
import { KIT_PATH, PATTERN } from './routes.ts';

export interface PageEntry {
  readonly pattern: string;
  /**
   * `site` pages tell something, need no query client and are drawn at build time; `public` ones are for signing in;
   * `app` pages stand inside the shell and need a signed-in person; `either` ones show the shell to whoever is.
   */
  readonly area: 'site' | 'public' | 'app' | 'either';
  readonly page: LazyPage;
}

export const QUERY_ROOT = lazyPart<QueryRootProps>('query-root', () =>
  import('./query-root.tsx').then((m) => m.QueryRoot),
);

type Load = Parameters<typeof lazyPart<PageProps>>[1];

function entry(area: PageEntry['area'], pattern: string, name: string, load: Load): PageEntry {
  return { area, pattern, page: lazyPart<PageProps>(name, load) };
}

/** Which page answers to which path. The name is the page's file, by which the build knows its styles. */
export const PAGES: readonly PageEntry[] = [
  entry('site', PATTERN.landing, 'landing-page', () =>
    import('./pages/landing/landing-page.tsx').then((m) => m.LandingPage),
  ),
  entry('site', PATTERN.pricing, 'pricing-page', () =>
    import('./pages/pricing/pricing-page.tsx').then((m) => m.PricingPage),
  ),
  entry('site', PATTERN.about, 'about-page', () => import('./pages/about/about-page.tsx').then((m) => m.AboutPage)),
  entry('site', PATTERN.security, 'security-page', () =>
    import('./pages/security/security-page.tsx').then((m) => m.SecurityPage),
  ),
  entry('site', PATTERN.license, 'license-page', () =>
    import('./pages/license/license-page.tsx').then((m) => m.LicensePage),
  ),
  entry('site', PATTERN.enterprise, 'enterprise-page', () =>
    import('./pages/enterprise/enterprise-page.tsx').then((m) => m.EnterprisePage),
  ),
  entry('site', PATTERN.privacy, 'privacy-page', () =>
    import('./pages/privacy/privacy-page.tsx').then((m) => m.PrivacyPage),
  ),
  entry('site', PATTERN.terms, 'terms-page', () => import('./pages/terms/terms-page.tsx').then((m) => m.TermsPage)),
  entry('site', PATTERN.contact, 'contact-page', () =>
    import('./pages/contact/contact-page.tsx').then((m) => m.ContactPage),
  ),
  entry('public', PATTERN.login, 'login-page', () => import('./pages/login/login-page.tsx').then((m) => m.LoginPage)),
  entry('public', PATTERN.signup, 'signup-page', () =>
    import('./pages/signup/signup-page.tsx').then((m) => m.SignupPage),
  ),
  entry('public', PATTERN.forgotPassword, 'forgot-password-page', () =>
    import('./pages/forgot-password/forgot-password-page.tsx').then((m) => m.ForgotPasswordPage),
  ),
  entry('public', PATTERN.resetPassword, 'reset-password-page', () =>
    import('./pages/reset-password/reset-password-page.tsx').then((m) => m.ResetPasswordPage),
  ),
  entry('public', PATTERN.verifyEmail, 'verify-email-page', () =>
    import('./pages/verify-email/verify-email-page.tsx').then((m) => m.VerifyEmailPage),
  ),
  entry('public', PATTERN.acceptInvite, 'accept-invite-page', () =>
    import('./pages/accept-invite/accept-invite-page.tsx').then((m) => m.AcceptInvitePage),
  ),
  entry('either', PATTERN.demo, 'demo-page', () => import('./pages/demo/demo-page.tsx').then((m) => m.DemoPage)),
  entry('app', PATTERN.overview, 'dashboard-page', () =>
    import('./pages/dashboard/dashboard-page.tsx').then((m) => m.DashboardPage),
  ),
  entry('app', PATTERN.plans, 'plans-page', () => import('./pages/plans/plans-page.tsx').then((m) => m.PlansPage)),
  entry('app', PATTERN.plan, 'plan-page', () => import('./pages/plan/plan-page.tsx').then((m) => m.PlanPage)),
  entry('app', PATTERN.history, 'history-page', () =>
    import('./pages/history/history-page.tsx').then((m) => m.HistoryPage),
  ),
  entry('app', PATTERN.run, 'run-page', () => import('./pages/run/run-page.tsx').then((m) => m.RunPage)),
  entry('app', PATTERN.conflicts, 'conflicts-page', () =>
    import('./pages/conflicts/conflicts-page.tsx').then((m) => m.ConflictsPage),
  ),
  entry('app', PATTERN.problems, 'problems-page', () =>
    import('./pages/problems/problems-page.tsx').then((m) => m.ProblemsPage),
  ),
  entry('app', PATTERN.records, 'records-page', () =>
    import('./pages/records/records-page.tsx').then((m) => m.RecordsPage),
  ),
  entry('app', PATTERN.record, 'record-page', () => import('./pages/record/record-page.tsx').then((m) => m.RecordPage)),
  entry('app', PATTERN.stores, 'stores-page', () => import('./pages/stores/stores-page.tsx').then((m) => m.StoresPage)),
  entry('app', PATTERN.settings, 'settings-page', () =>
    import('./pages/settings/settings-page.tsx').then((m) => m.settingsPage(lazyPart)),
  ),
  ...(process.env.WEB_KIT === 'on'
    ? [entry('public', KIT_PATH, 'kit-page', () => import('./pages/kit/kit-page.tsx').then((m) => m.KitPage))]
    : []),
];

/** Answers to every other path. */
export const MISSING: PageEntry = entry('site', '*', 'not-found-page', () =>
  import('./pages/not-found/not-found-page.tsx').then((m) => m.NotFoundPage),
);

/** Downloads what a signed-in person may open next, when there is nothing better to do. */
export function preloadAppPages(): void {
  const idle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1_500));
  idle(() => {
    void SHELL.preload();
    for (const { area, page } of PAGES) if (area === 'app' || area === 'either') void page.preload();
  });
}
