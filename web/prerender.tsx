import { StrictMode } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import { Router } from 'wouter';
import { App } from './app.tsx';

/** The HTML of one page as it is before a browser knows anything about its visitor. Throws when a part of it fails. */
export async function renderPage(path: string): Promise<string> {
  let failure: unknown = null;
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <Router ssrPath={path} ssrSearch="">
        <App />
      </Router>
    </StrictMode>,
    {
      // Everything in place: what is put in later would need scripts in the page.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        failure ??= error;
      },
    },
  );
  let html = '';
  for await (const chunk of prelude) html += String(chunk);
  if (failure !== null) throw new Error(`${path} can not be drawn`, { cause: failure });
  return html;
}
