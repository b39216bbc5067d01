/** What a new password that is set by a mailed link ends, before and after. */
export const RESET_TEXT = {
  stale: 'Links for a new password are good for one hour and for one use.',
  ends: 'It signs out every device, revokes your API tokens, disconnects another way to sign in, and withdraws a change of your address that was not confirmed.',
  endsUnconfirmed:
    'Where nobody had confirmed this address yet, it also turns two-factor sign-in off, takes everybody else out of your workspace and you out of those of others, withdraws invitations, and switches webhooks and chats off: somebody else could have prepared them. Administrators of the instance keep all of that.',
  done: 'Every device is signed out, your API tokens are revoked, and another way to sign in is disconnected. If nobody had confirmed your address before, an email says what else has gone. Sign in with the new password.',
  failed: 'Failed to change password. Please try again.',
};
