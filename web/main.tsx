import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { getUser } from './api/session.ts';
import { App, findPage } from './app.tsx';
import { SHELL } from './pages/shell/lazy-shell.ts';
import { SITE_FRAME } from './pages/site-frame/lazy-site-frame.ts';
import { preloadAppPages, QUERY_ROOT } from './pages.ts';

/** The specification's: the loading screen is not shown for longer, whatever the network does. */
const LOADING_MS_MAX = 800;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// What the page consists of is asked for before React has drawn anything.
const { entry } = findPage(location.pathname);
const parts = [entry.page.preload()];
parts.push(entry.area === 'site' ? SITE_FRAME.preload() : QUERY_ROOT.preload());
if ((entry.area === 'app' || entry.area === 'either') && getUser()) parts.push(SHELL.preload());

// The first drawing is the one that was made at build time, which knew no query; the next one has it.
const isDrawn = root.dataset['drawn'] !== undefined;
const app = (
  <StrictMode>
    <Router {...(isDrawn ? { ssrPath: location.pathname, ssrSearch: '' } : {})}>
      <App />
    </Router>
  </StrictMode>
);
const tooLong = new Promise((resolve) => setTimeout(resolve, LOADING_MS_MAX));
await Promise.race([Promise.all(parts), ...(isDrawn ? [] : [tooLong])]);
if (isDrawn) hydrateRoot(root, app);
else createRoot(root).render(app);
if (getUser()) preloadAppPages();
