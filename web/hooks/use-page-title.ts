import { useEffect } from 'react';
import { BRAND } from '../content/brand.ts';

/** The document's title while a page is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === BRAND.name ? title : `${title} · ${BRAND.name}`;
  }, [title]);
}
