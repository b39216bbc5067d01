import { GitPullRequestArrow, Keyboard, Moon, Package, Plus, RefreshCw } from 'lucide-react';
import { useDeferredValue } from 'react';
import { useLocation } from 'wouter';
import { usePairs, useSyncNow } from '../../api/pairs.ts';
import { useMakePlan } from '../../api/plans.ts';
import { useRecordSearch } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { runsInstance } from '../../hooks/roles.ts';
import { setTheme, useIsDark } from '../../hooks/use-theme.ts';
import { link } from '../../routes.ts';
import { tellFailure, tellSyncFailure } from '../../tell-failure.ts';
import { INSTANCE_PLACES, railOf } from './navigation.ts';
import type { PaletteItem } from './palette-items.ts';

const RECORDS_SHOWN = 5;
const SEARCH_LENGTH_MIN = 2;

/** Everything that the palette knows; records follow what is typed. */
export function usePaletteItems(query: string, onHelp: () => void): readonly PaletteItem[] {
  const [, navigate] = useLocation();
  const user = useUser();
  const isDark = useIsDark();
  const { data } = usePairs();
  const sync = useSyncNow();
  const plan = useMakePlan();
  const whyNoSync = useWhyNot('sync');
  const whyNoPlan = useWhyNot('plan');
  const whyNoStores = useWhyNot('stores');
  const wanted = useDeferredValue(query.trim());
  const records = useRecordSearch(wanted, RECORDS_SHOWN);

  const places = railOf(user?.isDemo === true).map<PaletteItem>((place) => ({
    id: `go-${place.label.replaceAll(' ', '-')}`,
    group: 'Go to',
    label: place.label,
    icon: place.icon,
    ...(place.key ? { keys: ['G', place.key.toUpperCase()] } : {}),
    run: () => navigate(place.href),
  }));
  const forOwner = user !== null && runsInstance(user) ? INSTANCE_PLACES : [];
  const instance = forOwner.map<PaletteItem>(({ href, label, icon }) => ({
    ...{ id: `go-${label.replaceAll(' ', '-')}`, group: 'Go to', label, icon },
    run: () => navigate(href),
  }));
  // By the promise: the palette closes before there is an answer, and callbacks of a mutation go with it.
  const perPair = (data?.pairs ?? []).flatMap<PaletteItem>(({ _id, woocommerce: { name }, status }) => [
    ...(status === 'active'
      ? [
          {
            id: `sync-${_id}`,
            group: 'Do' as const,
            label: `Run quick sync on ${name}`,
            icon: RefreshCw,
            reason: whyNoSync,
            run: () => void sync.mutateAsync({ pairId: _id }).catch(tellSyncFailure),
          },
        ]
      : []),
    {
      id: `plan-${_id}`,
      group: 'Do',
      label: `Preview changes for ${name}`,
      icon: GitPullRequestArrow,
      reason: whyNoPlan,
      run: () =>
        void plan
          .mutateAsync(_id)
          .then((made) => navigate(link.plan(made.plan._id)), tellFailure(`Could not make a plan for ${name}.`)),
    },
  ]);
  const actions: readonly PaletteItem[] = [
    {
      id: 'connect',
      group: 'Do',
      label: 'Connect new store',
      icon: Plus,
      reason: whyNoStores,
      run: () => navigate(link.stores({ connect: 'choose' })),
    },
    {
      id: 'theme',
      group: 'Do',
      label: 'Switch between light and dark',
      icon: Moon,
      run: () => setTheme(isDark ? 'light' : 'dark'),
    },
    { id: 'help', group: 'Do', label: 'Keyboard shortcuts', keys: ['?'], icon: Keyboard, run: onHelp },
  ];
  const found =
    wanted.length < SEARCH_LENGTH_MIN
      ? []
      : (records.data?.records ?? []).slice(0, RECORDS_SHOWN).map<PaletteItem>((record) => ({
          id: `record-${record._id}`,
          group: 'Records',
          label: record.title,
          ...(record.sku ? { note: record.sku } : {}),
          icon: Package,
          run: () => navigate(link.record(record._id)),
        }));
  return [...places, ...instance, ...perPair, ...actions, ...found];
}
