import { isSignupClosed, useInstance } from './instance.ts';

interface Start {
  readonly label: string;
  readonly href: string;
}

interface Links {
  readonly signup: () => string;
  readonly login: () => string;
}

/** Where a button that offers an account leads. An instance that is known to take none offers to sign in. */
export function useStart(label: string, link: Links): Start {
  return isSignupClosed(useInstance()) ? { label: 'Login', href: link.login() } : { label, href: link.signup() };
}
