import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';

/** Before somebody fills in a form about a store or a pair that the server would refuse from them. */
export function AdminNote() {
  const why = useWhyNot('stores');
  return why === null ? null : <Banner tone="info">{why}</Banner>;
}
