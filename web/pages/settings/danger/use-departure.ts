import { useLocation } from 'wouter';
import { useGoOnElsewhere, useSignedOut } from '../../../api/account.ts';
import { showToast } from '../../../components/toast.tsx';
import { link } from '../../../routes.ts';

/** What comes after a workspace or the account is gone: the next workspace where there is one, else the sign-in page. */
export function useDeparture() {
  const [, navigate] = useLocation();
  const signedOut = useSignedOut();
  const goOn = useGoOnElsewhere();
  return async (hasOther: boolean, told: string): Promise<void> => {
    if (hasOther) {
      navigate(link.overview(), { replace: true });
      await goOn();
    } else {
      signedOut();
      navigate(link.login(), { replace: true });
    }
    showToast('success', told);
  };
}
