import { BackToTop } from './back-to-top.tsx';
import type { SiteFrameProps } from './lazy-site-frame.ts';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

export function SiteFrame({ kind, children }: SiteFrameProps) {
  return (
    <>
      <SiteHeader kind={kind} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
      {kind === 'landing' && <BackToTop />}
    </>
  );
}
