import { type LazyPage, lazyPart, type PageProps } from './lazy-page.tsx';
import { SHELL } from './pages/shell/lazy-shell.ts';
import { PATTERN } from './routes.ts';

export interface PageEntry {
  readonly pattern: string;
  /** `app` pages stand inside the shell and need a signed-in person; `either` ones show the shell to whoever is. */
  readonly area: 'public' | 'app' | 'either';
  readonly page: LazyPage;
}

const shelves = lazyPart<PageProps>('demo-page', () => import('./pages/demo/demo-page.tsx').then((m) => m.DemoPage));

export const NOT_FOUND = lazyPart<PageProps>('not-found-page', () =>
  import('./pages/not-found/not-found-page.tsx').then((m) => m.NotFoundPage),
);

/** Which page answers to which path. */
export const PAGES: readonly PageEntry[] = [
  {
    pattern: PATTERN.landing,
    area: 'public',
    page: lazyPart<PageProps>('landing-page', () =>
      import('./pages/landing/landing-page.tsx').then((m) => m.LandingPage),
    ),
  },
  {
    pattern: PATTERN.login,
    area: 'public',
    page: lazyPart<PageProps>('login-page', () => import('./pages/login/login-page.tsx').then((m) => m.LoginPage)),
  },
  {
    pattern: PATTERN.signup,
    area: 'public',
    page: lazyPart<PageProps>('signup-page', () => import('./pages/signup/signup-page.tsx').then((m) => m.SignupPage)),
  },
  { pattern: PATTERN.demo, area: 'either', page: shelves },
  {
    pattern: PATTERN.overview,
    area: 'app',
    page: lazyPart<PageProps>('dashboard-page', () =>
      import('./pages/dashboard/dashboard-page.tsx').then((m) => m.DashboardPage),
    ),
  },
  {
    pattern: PATTERN.plans,
    area: 'app',
    page: lazyPart<PageProps>('plans-page', () => import('./pages/plans/plans-page.tsx').then((m) => m.PlansPage)),
  },
  {
    pattern: PATTERN.plan,
    area: 'app',
    page: lazyPart<PageProps>('plan-page', () => import('./pages/plan/plan-page.tsx').then((m) => m.PlanPage)),
  },
  {
    pattern: PATTERN.history,
    area: 'app',
    page: lazyPart<PageProps>('history-page', () =>
      import('./pages/history/history-page.tsx').then((m) => m.HistoryPage),
    ),
  },
  {
    pattern: PATTERN.run,
    area: 'app',
    page: lazyPart<PageProps>('run-page', () => import('./pages/run/run-page.tsx').then((m) => m.RunPage)),
  },
  {
    pattern: PATTERN.conflicts,
    area: 'app',
    page: lazyPart<PageProps>('conflicts-page', () =>
      import('./pages/conflicts/conflicts-page.tsx').then((m) => m.ConflictsPage),
    ),
  },
  {
    pattern: PATTERN.records,
    area: 'app',
    page: lazyPart<PageProps>('records-page', () =>
      import('./pages/records/records-page.tsx').then((m) => m.RecordsPage),
    ),
  },
  {
    pattern: PATTERN.record,
    area: 'app',
    page: lazyPart<PageProps>('record-page', () => import('./pages/record/record-page.tsx').then((m) => m.RecordPage)),
  },
  {
    pattern: PATTERN.stores,
    area: 'app',
    page: lazyPart<PageProps>('stores-page', () => import('./pages/stores/stores-page.tsx').then((m) => m.StoresPage)),
  },
];

/** Downloads what a signed-in person may open next, when there is nothing better to do. */
export function preloadAppPages(): void {
  const idle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1_500));
  idle(() => {
    SHELL.preload();
    for (const { area, page } of PAGES) if (area !== 'public') page.preload();
  });
}
