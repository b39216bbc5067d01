import { useEffect, useState } from 'react';

/**
 * The secret of a mailed link. It stands behind a `#`, which no server sees; once read it is taken out of the address, so that neither
 * the history nor a shoulder has it. '' when the link has none.
 */
export function useMailedToken(): string {
  const [token] = useState(
    () =>
      new URLSearchParams(location.hash.slice(1)).get('token') ??
      new URLSearchParams(location.search).get('token') ??
      '',
  );
  useEffect(() => {
    if (token !== '') history.replaceState(history.state, '', location.pathname);
  }, [token]);
  useEffect(() => {
    // Another link that is opened in this tab changes nothing but the part behind the #: begin anew with it.
    const onHash = (): void => {
      if (location.hash.includes('token=')) location.reload();
    };
    window.addEventListener('hashchange', onHash);
    return () => window.removeEventListener('hashchange', onHash);
  }, []);
  return token;
}

const INVITATION = 'invitation';

/** An invitation outlives the way over sign-in or sign-up, in this tab. */
export const keptInvitation = {
  read: (): string => sessionStorage.getItem(INVITATION) ?? '',
  keep: (token: string): void => sessionStorage.setItem(INVITATION, token),
  drop: (): void => sessionStorage.removeItem(INVITATION),
};
