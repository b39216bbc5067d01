import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { getUser } from './api/session.ts';
import { App, findPage } from './app.tsx';
import { SHELL } from './pages/shell/lazy-shell.ts';
import { preloadAppPages } from './pages.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The page's own file and the shell's are asked for before React has drawn anything.
const { entry } = findPage(location.pathname);
entry.page.preload();
if (entry.area !== 'public' && getUser()) SHELL.preload();

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
if (getUser()) preloadAppPages();
