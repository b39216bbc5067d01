import { useCallback } from 'react';
import type { ServerMessage } from '../../../src/contracts/live.ts';
import { useLiveChannel, useLiveMessages } from '../../api/live.ts';
import { usePairs } from '../../api/pairs.ts';
import { onFailedAfterLeaving } from '../../api/use-send.ts';
import { showToast } from '../../components/toast.tsx';
import { showTimesIn } from '../../hooks/format.ts';
import { useReturn } from '../../hooks/use-return.ts';
import { tellFailure } from '../../tell-failure.ts';
import { BottomDock } from './bottom-dock.tsx';
import type { ShellProps } from './lazy-shell.ts';
import { liveNotice } from './live-notice.ts';
import { Rail } from './rail.tsx';
import css from './shell.module.css';
import { TopBar } from './top-bar.tsx';

// Not to who signs in or up: they have no other page to leave the form for.
onFailedAfterLeaving((tried, error) => tellFailure(tried)(error));

/** The frame of the signed-in area: top bar, rail, main part, bottom dock under 820 px. It stays while pages change. */
export function Shell({ user, children }: ShellProps) {
  // Before anything under it writes a time.
  showTimesIn(user.timezone);
  useReturn();
  useLiveChannel();
  useLiveMessages(useCallback(announce, []));
  const { data } = usePairs();
  const conflicts = data?.pairs.reduce((sum, { counts }) => sum + counts.conflicts, 0) ?? 0;
  return (
    <div className={css.shell}>
      <TopBar user={user} />
      <Rail isDemo={user.isDemo} conflicts={conflicts} />
      <main id="main" tabIndex={-1} className={css.main}>
        {children}
      </main>
      <BottomDock isDemo={user.isDemo} conflicts={conflicts} />
    </div>
  );
}

const announced = new Set<string>();

/** A run is told once, though the message comes for each of the pair's stores. */
function announce(message: ServerMessage): void {
  const notice = liveNotice(message);
  if (notice === null) return;
  if (message.type === 'sync_completed' || message.type === 'sync_failed') {
    const { runId } = message.payload;
    if (announced.has(runId)) return;
    announced.add(runId);
  }
  showToast(...notice);
}
