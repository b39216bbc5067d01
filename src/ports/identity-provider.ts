/** Somebody else who knows who a person is: OpenID Connect. */
export interface IdentityProvider {
  /** What the button says. */
  readonly name: string;
  /** Whoever it vouches for may create an account, also where sign-up is closed. */
  readonly allowsSignUp: boolean;
  /** Where the browser goes to sign in. */
  begin(trip: Trip, redirectUri: string): Promise<string>;
  /** Who came back to `address` (with its query). Throws when the answer is not the one that this trip was begun for. */
  finish(trip: Trip, address: string): Promise<VouchedPerson>;
}

/** Secrets of one way there and back: they bind the answer to the browser that asked. */
export interface Trip {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface VouchedPerson {
  readonly issuer: string;
  /** The person, for ever, at this issuer. Never an email address. */
  readonly subject: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly firstName: string;
  readonly lastName: string;
}
