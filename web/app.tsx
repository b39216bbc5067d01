import { Suspense } from 'react';
import { Redirect, useLocation } from 'wouter';
import { hasExpired, personKeyOf, useUser } from './api/session.ts';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { Skeleton } from './components/skeleton.tsx';
import { useArrival } from './hooks/use-arrival.ts';
import type { PageParams } from './lazy-page.tsx';
import { SHELL } from './pages/shell/lazy-shell.ts';
import { OfflineBanner } from './pages/shell/offline-banner.tsx';
import { SITE_FRAME } from './pages/site-frame/lazy-site-frame.ts';
import { MISSING, PAGES, type PageEntry, QUERY_ROOT } from './pages.ts';
import { link, matchPattern, PATTERN } from './routes.ts';

interface Found {
  readonly entry: PageEntry;
  readonly params: PageParams;
}

export function findPage(path: string): Found {
  for (const entry of PAGES) {
    const params = matchPattern(entry.pattern, path);
    if (params) return { entry, params };
  }
  return { entry: MISSING, params: {} };
}

export function App() {
  const [path] = useLocation();
  const user = useUser();
  const { entry, params } = findPage(path);
  useArrival(path);

  if (entry.area === 'app' && user === null) {
    // Where someone was when the session ended is where they come back to; signing out on purpose leads to a clean page.
    const next = hasExpired() || path !== link.overview() ? `${path}${location.search}` : undefined;
    return <Redirect to={link.login(next ? { next } : {})} replace />;
  }
  const { Component } = entry.page;
  const page = (
    <ErrorBoundary key={entry.pattern} at={path}>
      <Suspense fallback={<Skeleton type="card" />}>
        <Component params={params} />
      </Suspense>
    </ErrorBoundary>
  );
  const isInShell = (entry.area === 'app' || entry.area === 'either') && user !== null;
  const main = isInShell ? (
    <Suspense fallback={null}>
      {/* Another tab can sign somebody else in: nothing of the first person's stays, their live channel neither. */}
      <SHELL.Component key={personKeyOf(user)} user={user}>
        {page}
      </SHELL.Component>
    </Suspense>
  ) : (
    page
  );
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <OfflineBanner />
      {/* What stands around the pages can fail to arrive, too. */}
      <ErrorBoundary key={entry.area}>
        {entry.area === 'site' ? (
          <Suspense fallback={null}>
            <SITE_FRAME.Component kind={entry.pattern === PATTERN.landing ? 'landing' : 'public'}>
              {page}
            </SITE_FRAME.Component>
          </Suspense>
        ) : (
          <Suspense fallback={null}>
            <QUERY_ROOT.Component>
              {isInShell ? (
                main
              ) : entry.area === 'either' ? (
                <SITE_FRAME.Component kind="public">{page}</SITE_FRAME.Component>
              ) : (
                <main id="main" tabIndex={-1}>
                  {main}
                </main>
              )}
            </QUERY_ROOT.Component>
          </Suspense>
        )}
      </ErrorBoundary>
    </>
  );
}
