import { ApiError } from '../../api/api-error.ts';
import { useShelves } from '../../api/demo.ts';
import { isDemoOver, useUser } from '../../api/session.ts';
import { useStores } from '../../api/stores.ts';
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
  if (!user.isDemo && stores.isPending) return <Skeleton type="card" count={3} />;
  const isOver = shelves.error instanceof ApiError && shelves.error.status === 404;
  if (!user.isDemo && (!hasDemoData || isOver)) return <DemoDoor user={user} isOver={false} />;
  return isOver ? <DemoDoor user={user} isOver /> : <DemoShelves shelves={shelves} />;
}
