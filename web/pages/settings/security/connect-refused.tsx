import { Banner } from '../../../components/banner.tsx';
import { useQueryState } from '../../../hooks/use-query-state.ts';

const FAILED = 'The other way to sign in was not connected. Please try again.';
/** By the code that the address carries. */
const REFUSED: Readonly<Record<string, string>> = {
  IDENTITY_TAKEN: 'This sign-in is connected to another account already.',
  PROVIDER_FAILED:
    'The provider of this sign-in does not answer as it should. Try again in a minute; if it stays so, tell the owner of this instance.',
  SESSION_EXPIRED: 'The session that asked to connect this sign-in has ended. Please try again.',
};

/** Why nothing came of the trip to connect another way to sign in. Above all else: whoever comes back sees the top of the page. */
export function ConnectRefused() {
  const [params] = useQueryState();
  const code = params.get('refused');
  if (code === null) return null;
  return (
    <Banner tone="bad" urgent>
      {REFUSED[code] ?? FAILED}
    </Banner>
  );
}
