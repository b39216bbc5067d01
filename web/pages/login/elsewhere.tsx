import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSignedInElsewhere } from '../../api/auth.ts';
import { wordsOf } from '../../api/error-words.ts';
import { ButtonLink } from '../../components/button.tsx';
import { link } from '../../routes.ts';
import { departure } from './departure.ts';

const NOT_BEGUN = 'This sign-in was not begun in this tab, or too long ago. Please sign in here.';
const FAILED = 'This sign-in did not work. Please try again.';
/** By the code that the address carries. */
const REFUSED: Readonly<Record<string, string>> = {
  EMAIL_TAKEN: 'An account with this email already exists: sign in to it with its password.',
  EMAIL_UNVERIFIED: 'This sign-in did not vouch for your email address. Confirm it there, then try again.',
  SIGNUP_CLOSED: 'No account here is connected to this sign-in, and it creates none. Ask the owner of this instance.',
  IDENTITY_TAKEN: 'This sign-in is connected to another account already.',
  PROVIDER_FAILED:
    'The provider of this sign-in does not answer as it should. Try again in a minute, or sign in with your password; if it stays so, tell the owner of this instance.',
  SESSION_EXPIRED: 'The session that asked to connect this sign-in has ended. Sign in, then try again.',
};

interface WayBack {
  /** The person is known, and the session is being fetched. */
  readonly isArriving: boolean;
  /** Why nothing came of the trip to the identity provider. */
  readonly problem: string | null;
}

/** What the address says to who comes back from the identity provider. */
export function useWayBack(params: URLSearchParams): WayBack {
  const { mutate, error, isIdle, isPending } = useSignedInElsewhere();
  const [, navigate] = useLocation();
  const [wasAway] = useState(departure.hasBegun);
  const isNamed = params.get('signedIn') === 'true';
  const isBack = isNamed && wasAway;
  const hasBegun = useRef(false);
  // Whatever came of the trip, it is over.
  useEffect(() => departure.end(), []);
  useEffect(() => {
    // A refresh token that is exchanged twice ends its session.
    if (!isBack || hasBegun.current) return;
    hasBegun.current = true;
    mutate(undefined, { onSuccess: () => navigate(link.overview(), { replace: true }) });
  }, [isBack, mutate, navigate]);
  const code = params.get('error');
  const refused = code !== null ? (REFUSED[code] ?? FAILED) : isNamed && !wasAway ? NOT_BEGUN : null;
  return {
    isArriving: isBack && (isIdle || isPending),
    problem: error ? wordsOf(error, FAILED) : refused,
  };
}

/** To the operator's identity provider. No page of ours answers there: the browser has to leave. */
export function ElsewhereButton({ name }: { readonly name: string }) {
  return (
    <ButtonLink href={`${location.origin}/api/auth/oidc/start`} size="lg" wide onClick={departure.begin}>
      {`Sign in with ${name}`}
    </ButtonLink>
  );
}
