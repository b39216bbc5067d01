import { useUser } from '../../api/session.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { DemoDoor } from './demo-door.tsx';
import { DemoShelves } from './demo-shelves.tsx';

/** Both sandbox shelves side by side for who is in the demo; the way in for everyone else. */
export function DemoPage() {
  usePageTitle('Demo shelves');
  const user = useUser();
  return user?.isDemo ? <DemoShelves /> : <DemoDoor user={user} />;
}
