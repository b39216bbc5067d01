import { Banner } from '../../components/banner.tsx';
import { useAdminReason } from './use-admin-reason.ts';

/** Before somebody fills in a form about a store or a pair that the server would refuse from them. */
export function AdminNote() {
  const why = useAdminReason();
  return why === null ? null : <Banner tone="info">{why}</Banner>;
}
