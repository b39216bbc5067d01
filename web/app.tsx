import { Suspense, useEffect, useRef } from 'react';
import { Redirect, useLocation } from 'wouter';
import { hasExpired, useUser } from './api/session.ts';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { Skeleton } from './components/skeleton.tsx';
import { ToastShelf } from './components/toast.tsx';
import type { PageParams } from './lazy-page.tsx';
import { SHELL } from './pages/shell/lazy-shell.ts';
import { OfflineBanner } from './pages/shell/offline-banner.tsx';
import { NOT_FOUND, PAGES, type PageEntry } from './pages.ts';
import { link, matchPattern } from './routes.ts';

const MISSING: PageEntry = { pattern: '*', area: 'public', page: NOT_FOUND };

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

/** A route change is announced like a page load: the focus goes to the main part, the view to its top. */
function useArrival(path: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
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
    <ErrorBoundary key={entry.pattern}>
      <Suspense fallback={<Skeleton type="card" />}>
        <Component params={params} />
      </Suspense>
    </ErrorBoundary>
  );
  const isInShell = entry.area !== 'public' && user !== null;
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <OfflineBanner />
      {isInShell ? (
        <Suspense fallback={null}>
          <SHELL.Component user={user}>{page}</SHELL.Component>
        </Suspense>
      ) : (
        <main id="main" tabIndex={-1}>
          {page}
        </main>
      )}
      <ToastShelf />
    </>
  );
}
