import { ApiError } from '../../api/api-error.ts';
import { useShelves } from '../../api/demo.ts';
import { isDemoOver, useUser } from '../../api/session.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { DemoDoor } from './demo-door.tsx';
import { DemoShelves } from './demo-shelves.tsx';

/** Both sandbox shelves side by side for who is in the demo; the way in for everyone else. */
export function DemoPage() {
  usePageTitle('Demo shelves');
  const user = useUser();
  const shelves = useShelves(user?.isDemo === true);
  if (!user?.isDemo) return <DemoDoor user={user} isOver={user === null && isDemoOver()} />;
  const isOver = shelves.error instanceof ApiError && shelves.error.status === 404;
  return isOver ? <DemoDoor user={user} isOver /> : <DemoShelves shelves={shelves} />;
}
