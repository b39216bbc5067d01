import type { ReactNode } from 'react';
import { lazyPart } from '../../lazy-page.tsx';

export interface SiteFrameProps {
  /** The landing page's header scrolls to its own parts; the others' leads to pages. */
  readonly kind: 'landing' | 'public';
  readonly children: ReactNode;
}

/** Header and footer of the pages that tell something. */
export const SITE_FRAME = lazyPart<SiteFrameProps>('site-frame', () =>
  import('./site-frame.tsx').then((m) => m.SiteFrame),
);
