import { ApiError } from '../../api/api-error.ts';
import { useShelves } from '../../api/demo.ts';
import { isDemoOver, useUser } from '../../api/session.ts';
import { useStores } from '../../api/stores.ts';
import { PageHead } from '../../components/page-head.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { DemoDoor } from './demo-door.tsx';
import { DemoShelves } from './demo-shelves.tsx';

/** Both sandbox shelves side by side for who is in the demo, or has demo data in their workspace; the way in for everyone else. */
export function DemoPage() {
  usePageTitle('Demo shelves');
  const user = useUser();
  const stores = useStores(user !== null && !user.isDemo);
  const hasDemoData = stores.data?.stores.some(({ isSandbox }) => isSandbox) === true;
  const shelves = useShelves(user?.isDemo === true || hasDemoData);
  if (!user) return <DemoDoor user={user} isOver={isDemoOver()} />;
  // Whether there is demo data is not known: the door would lead out of their workspace.
  if (!user.isDemo && stores.data === undefined) {
    return (
      <QueryView
        query={stores}
        head={<PageHead title="Demo shelves" />}
        loading={<Skeleton type="card" count={3} />}
        failed="The stores could not be read."
      >
        {() => null}
      </QueryView>
    );
  }
  const isOver = shelves.error instanceof ApiError && shelves.error.status === 404;
  if (!user.isDemo && (!hasDemoData || isOver)) return <DemoDoor user={user} isOver={false} />;
  return isOver ? <DemoDoor user={user} isOver /> : <DemoShelves shelves={shelves} />;
}
