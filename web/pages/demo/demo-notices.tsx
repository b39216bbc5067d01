import { pairName } from '../../api/pair-name.ts';
import { type Pair, usePausePair, useSyncNow } from '../../api/pairs.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { HaltedBanner } from '../../components/halted-banner.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { plural } from '../../hooks/format.ts';
import { link } from '../../routes.ts';
import { tellFailure, tellSyncFailure } from '../../tell-failure.ts';
import css from './demo-shelves.module.css';

/** Whether a change on one side travels by itself now. */
export function isTravelling(pair: Pair | undefined): boolean {
  if (!pair) return true;
  return pair.status === 'active' && pair.settings.syncSchedule === 'realtime' && pair.counts.conflicts === 0;
}

/** Why changes wait, and what lets them go. */
export function DemoNotices({ pair }: { readonly pair: Pair }) {
  const whyNoResume = useWhyNot('pause');
  const whyNoSync = useWhyNot('sync');
  const pause = usePausePair();
  const sync = useSyncNow();
  const { status, settings, counts, halt } = pair;
  const isStanding = status === 'paused' || status === 'halted';
  // The notice leaves with the button that was pressed: the focus does not go with it.
  const onSuccess = (): void => document.getElementById('main')?.focus({ preventScroll: true });
  const resume = (): void =>
    void pause.mutateAsync({ id: pair._id, pause: false }).then(onSuccess, tellFailure('Could not resume the pair.'));
  return (
    <>
      {isStanding && (
        <div className={css.notice}>
          {halt ? (
            <HaltedBanner
              name={pairName(pair)}
              halt={halt}
              reason={whyNoResume}
              busy={pause.isPending}
              onResume={resume}
            />
          ) : (
            <Banner
              tone="warn"
              actions={
                <ReasonedButton size="sm" reason={whyNoResume} busy={pause.isPending} onClick={resume}>
                  Resume
                </ReasonedButton>
              }
            >
              The pair is paused: changes wait until you resume it.
            </Banner>
          )}
        </div>
      )}
      {!isStanding && settings.syncSchedule !== 'realtime' && (
        <div className={css.notice}>
          <Banner
            tone="info"
            actions={
              <ReasonedButton
                size="sm"
                reason={whyNoSync}
                busy={sync.isPending}
                onClick={() => void sync.mutateAsync({ pairId: pair._id }).catch(tellSyncFailure)}
              >
                {TEXT.dashboard.syncNow}
              </ReasonedButton>
            }
          >
            This pair is not set to real time: changes wait for the next sync.
          </Banner>
        </div>
      )}
      {counts.conflicts > 0 && (
        <div className={css.notice}>
          <Banner
            tone="warn"
            actions={
              <ButtonLink href={link.conflicts()} size="sm">
                Review conflicts
              </ButtonLink>
            }
          >
            {plural(counts.conflicts, 'field')} changed differently on both sides and{' '}
            {counts.conflicts === 1 ? 'waits' : 'wait'} for you.
          </Banner>
        </div>
      )}
    </>
  );
}
