import { GitPullRequestArrow } from 'lucide-react';
import { Link } from 'wouter';
import { knownAs } from '../../api/known-as.ts';
import { pairName } from '../../api/pair-name.ts';
import type { Pair } from '../../api/pairs.ts';
import { PLAN_PAGE_SIZE, type PlanItem, type PlanWithItems } from '../../api/plans.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { HaltedBanner } from '../../components/halted-banner.tsx';
import { Level } from '../../components/level.tsx';
import { Meter } from '../../components/meter.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { type MoreOfList, ShowMore } from '../../components/show-more.tsx';
import { faultWords } from '../../hooks/fault-words.ts';
import { formatNumber, plural } from '../../hooks/format.ts';
import { link } from '../../routes.ts';
import { ApplyBar } from './apply-bar.tsx';
import { type PlanFilterState, PlanFilters } from './plan-filters.tsx';
import { PlanItemRow } from './plan-item-row.tsx';
import { writesOf } from './plan-numbers.ts';
import css from './plan-page.module.css';
import { SideCard } from './side-card.tsx';

const OPEN_AT_FIRST = 2;

interface PlanViewProps {
  readonly plan: PlanWithItems;
  readonly items: readonly PlanItem[];
  readonly pair: Pair | null;
  readonly isStale: boolean;
  readonly filter: PlanFilterState;
  readonly onFilter: (changes: Readonly<Record<string, string | null>>) => void;
  readonly more: MoreOfList;
  readonly isApplying: boolean;
  readonly isBusy: boolean;
  readonly onApply: () => void;
  readonly onDiscard: () => void;
  readonly onRemake: () => void;
  readonly onResume: () => void;
}

function Lead({ plan }: { readonly plan: PlanWithItems }) {
  const { counts, status } = plan;
  const writes = writesOf(counts);
  if (status === 'planning') return 'Reading both stores. Nothing is written.';
  if (status === 'applied') return 'This plan has been applied. What it did is in its run.';
  if (status === 'discarded') return 'This plan was discarded. Nothing was written.';
  if (status === 'nothing_to_do') return 'Both stores were read. Nothing has to be written.';
  if (status === 'failed') return 'The plan could not be made. Nothing was written.';
  return (
    <>
      Nothing has been written yet.
      {writes > 0 && (
        <>
          {' '}
          Applying this plan makes <strong>{plural(writes, 'write')}</strong>
          {counts.conflicts > 0 && (
            <>
              {' '}
              and holds back <Link href={link.conflicts()}>{plural(counts.conflicts, 'conflict')}</Link>
            </>
          )}
          .
        </>
      )}
      {counts.unlike > 0 && (
        <>
          {' '}
          Look twice at <Link href="?unlike=1">{plural(counts.unlike, 'link')}</Link>: the titles differ.
        </>
      )}
    </>
  );
}

function Planning({ plan }: { readonly plan: PlanWithItems }) {
  const { woocommerce, shopify } = plan.counts.read;
  return (
    <Card>
      {/* Its numbers move all the time: none is read out by itself, and who wants to know asks the meter. */}
      <div className={css.progress}>
        <Meter label="Planning" value={plan.progress > 0 ? plan.progress / 100 : null} />
        <p>
          {formatNumber(woocommerce)} read from WooCommerce, {formatNumber(shopify)} from Shopify.
        </p>
      </div>
    </Card>
  );
}

interface AllLevelProps {
  readonly plan: PlanWithItems;
  readonly isFirst: boolean;
  /** Somebody looks at both stores all the time. Else what they have done since the plan is not known. */
  readonly isWatched: boolean;
}

function AllLevel({ plan, isFirst, isWatched }: AllLevelProps) {
  return (
    <Card>
      <div className={css.level}>
        <Level tilt="level" size="lg" label={isWatched ? 'Both stores agree' : 'Both stores agreed'} />
        <h2>{isWatched ? 'All level' : 'All level when it was planned'}</h2>
        <p>
          {plural(plan.counts.level, 'record')} read on both sides, and they say the same.{' '}
          {isFirst
            ? 'Nothing has to be written: start the sync, and what comes from now on is kept the same.'
            : 'There is nothing to apply.'}
        </p>
      </div>
    </Card>
  );
}

export function PlanView(props: PlanViewProps) {
  const { plan, items, pair, isStale, filter, onFilter } = props;
  const whyNoPlan = useWhyNot('plan');
  const whyNoResume = useWhyNot('pause');
  // A pair begins with its first plan, also where there is nothing to write yet: both shops are empty, or what they have is left alone.
  const isFirst = pair !== null && pair.linkedAt === null;
  const isReady = plan.status === 'ready' || (isFirst && plan.status === 'nothing_to_do');
  const isPaused = isReady && (pair?.status === 'paused' || pair?.status === 'halted');
  const canApply = isReady && !isStale && !isPaused && (isFirst || writesOf(plan.counts) + plan.counts.linked > 0);
  const hasSides = plan.status !== 'planning' && plan.status !== 'failed' && plan.status !== 'nothing_to_do';
  // The first two that have something to show; deletes and choices besides.
  const shownOpen = new Set(
    items
      .filter(({ fields, stock }) => fields.length + stock.length > 0)
      .slice(0, OPEN_AT_FIRST)
      .map(({ seq }) => seq),
  );
  const isFiltered = Object.values(filter).some(Boolean);

  return (
    <div className={css.page}>
      <PageHead
        title="Plan preview"
        trail={[
          { href: link.overview(), label: 'Overview' },
          { href: link.plans(), label: pair?.woocommerce.name ?? 'Plans' },
        ]}
        actions={
          <ReasonedButton
            icon={<GitPullRequestArrow aria-hidden="true" />}
            reason={whyNoPlan}
            busy={props.isBusy}
            disabled={plan.status === 'planning'}
            onClick={props.onRemake}
          >
            Make a new plan
          </ReasonedButton>
        }
      >
        <Lead plan={plan} />
      </PageHead>
      {isReady && isStale && (
        <div className={css.notice}>
          <Banner
            tone="warn"
            urgent
            actions={
              <ReasonedButton size="sm" reason={whyNoPlan} busy={props.isBusy} onClick={props.onRemake}>
                Plan again
              </ReasonedButton>
            }
          >
            This is not the plan that you looked at. Make a new one. Nothing was written.
          </Banner>
        </div>
      )}
      {isPaused && pair && (
        <div className={css.notice}>
          {pair.halt ? (
            <HaltedBanner
              name={pairName(pair)}
              halt={pair.halt}
              reason={whyNoResume}
              busy={props.isBusy}
              onResume={props.onResume}
            />
          ) : (
            <Banner
              tone="warn"
              actions={
                <ReasonedButton size="sm" reason={whyNoResume} busy={props.isBusy} onClick={props.onResume}>
                  Resume
                </ReasonedButton>
              }
            >
              The pair is paused. Resume it to apply this plan.
            </Banner>
          )}
        </div>
      )}
      {plan.status === 'applied' && (
        <div className={css.notice}>
          <Banner
            tone="ok"
            actions={
              plan.runId && (
                <ButtonLink href={link.run(plan.runId)} size="sm">
                  See the run
                </ButtonLink>
              )
            }
          >
            Applied. The run lists what was written; a record that had changed meanwhile was left out.
          </Banner>
        </div>
      )}
      {plan.status === 'failed' && (
        <div className={css.notice}>
          <Banner tone="bad">{faultWords(plan.error)}</Banner>
        </div>
      )}
      {plan.status === 'planning' && <Planning plan={plan} />}
      {plan.status === 'nothing_to_do' && (
        <AllLevel plan={plan} isFirst={isFirst} isWatched={pair !== null && knownAs(pair) === 'now'} />
      )}
      {hasSides && (
        <>
          <div className={css.sides}>
            <SideCard side="woocommerce" counts={plan.counts} domain={pair?.woocommerce.domain ?? ''} />
            <SideCard side="shopify" counts={plan.counts} domain={pair?.shopify.domain ?? ''} />
          </div>
          <PlanFilters plan={plan} filter={filter} shown={items.length} onChange={onFilter} />
          <div className={css.items}>
            {items.length === 0 ? (
              <EmptyShelf
                title={isFiltered ? 'No record matches the filters' : 'No record to show'}
                actions={
                  isFiltered && (
                    <Button onClick={() => onFilter({ action: null, side: null, unlike: null, q: null })}>
                      Clear filters
                    </Button>
                  )
                }
              />
            ) : (
              <>
                <ul>
                  {items.map((item) => (
                    <PlanItemRow
                      key={item.seq}
                      item={item}
                      currency={plan.currency}
                      startOpen={
                        shownOpen.has(item.seq) ||
                        item.action === 'archive' ||
                        item.action === 'ambiguous' ||
                        item.unlike !== null ||
                        item.refused.length > 0
                      }
                    />
                  ))}
                </ul>
                <ShowMore query={props.more}>
                  Show {plural(Math.min(plan.itemCount - items.length, PLAN_PAGE_SIZE), 'more record')}
                </ShowMore>
              </>
            )}
          </div>
        </>
      )}
      {isReady && (
        <ApplyBar
          plan={plan}
          isFirst={isFirst}
          canApply={canApply}
          reason={whyNoPlan}
          isApplying={props.isApplying}
          isBusy={props.isBusy}
          onApply={props.onApply}
          onDiscard={props.onDiscard}
        />
      )}
    </div>
  );
}
