import { GitPullRequestArrow, Keyboard, Moon, Package, Plus, RefreshCw, Store } from 'lucide-react';
import { useDeferredValue } from 'react';
import { useLocation } from 'wouter';
import { usePairs, useSyncNow } from '../../api/pairs.ts';
import { useMakePlan } from '../../api/plans.ts';
import { SEARCH_LENGTH_MIN, useRecordSearch } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { useStores } from '../../api/stores.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { runsInstance } from '../../hooks/roles.ts';
import { setTheme, useIsDark } from '../../hooks/use-theme.ts';
import { link } from '../../routes.ts';
import { tellFailure, tellSyncFailure } from '../../tell-failure.ts';
import { INSTANCE_PLACES, railOf } from './navigation.ts';
import { type Asked, type PaletteItem, toldApart } from './palette-items.ts';

const RECORDS_SHOWN = 5;
const UNANSWERED: Asked = { data: undefined, error: null };

interface Known {
  readonly items: readonly PaletteItem[];
  /** What the items come from, as far as it is wanted. */
  readonly asked: readonly Asked[];
}

/** Everything that the palette knows; stores and records follow what is typed. */
export function usePaletteItems(query: string, onHelp: () => void): Known {
  const [, navigate] = useLocation();
  const user = useUser();
  const isDark = useIsDark();
  const pairs = usePairs();
  const sync = useSyncNow();
  const plan = useMakePlan();
  const whyNoSync = useWhyNot('sync');
  const whyNoPlan = useWhyNot('plan');
  const whyNoStores = useWhyNot('stores');
  const typed = query.trim();
  const wanted = useDeferredValue(typed);
  const search = useRecordSearch(wanted, RECORDS_SHOWN);
  const records = wanted === typed ? search.data?.records : undefined;
  const stores = useStores(typed !== '');

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
  const known = pairs.data?.pairs ?? [];
  const perPair = known.flatMap<PaletteItem>(({ _id, woocommerce: { name }, shopify, status }) => [
    ...(status === 'active'
      ? [
          {
            id: `sync-${_id}`,
            group: 'Do' as const,
            label: `Run quick sync on ${name}`,
            ...toldApart(known, name, shopify.name),
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
      ...toldApart(known, name, shopify.name),
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
  const named = (typed === '' ? [] : (stores.data?.stores ?? [])).map<PaletteItem>(({ _id, name, domain }) => ({
    ...{ id: `store-${_id}`, group: 'Go to', label: name, note: domain, icon: Store },
    run: () => navigate(link.stores()),
  }));
  const found = (records ?? []).slice(0, RECORDS_SHOWN).map<PaletteItem>((record) => ({
    id: `record-${record._id}`,
    group: 'Records',
    label: record.title,
    ...(record.sku ? { note: record.sku } : {}),
    icon: Package,
    run: () => navigate(link.record(record._id)),
  }));
  return {
    items: [...places, ...instance, ...named, ...perPair, ...actions, ...found],
    asked: [
      pairs,
      ...(typed === '' ? [] : [stores]),
      ...(typed.length < SEARCH_LENGTH_MIN ? [] : [wanted === typed ? search : UNANSWERED]),
    ],
  };
}
