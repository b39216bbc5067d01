import { Suspense } from 'react';
import { PageHead } from '../../components/page-head.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { oneOf, useQueryState } from '../../hooks/use-query-state.ts';
import type { lazyPart } from '../../lazy-page.tsx';
import { panelsWith } from './panels.ts';
import { SettingsNav } from './settings-nav.tsx';
import css from './settings-page.module.css';
import { SETTINGS_TABS, TAB_LABEL } from './tabs.ts';

/**
 * What makes lazy parts is given, not imported: were it shared with this page, it and all of react-dom would stand in a file of their
 * own, and the landing page, which has no room to spare, would pay for that.
 */
export function settingsPage(part: typeof lazyPart) {
  const panels = panelsWith(part);
  return function SettingsPage() {
    const [params] = useQueryState();
    const tab = oneOf(params.get('tab'), SETTINGS_TABS) ?? 'profile';
    usePageTitle(`Settings: ${TAB_LABEL[tab]}`);
    const { Component: Panel } = panels[tab];
    return (
      <>
        <PageHead title="Settings" />
        <div className={css.layout}>
          <SettingsNav current={tab} panels={panels} />
          <div className={css.panel}>
            <Suspense fallback={<Skeleton type="card" count={2} />}>
              <Panel />
            </Suspense>
          </div>
        </div>
      </>
    );
  };
}
