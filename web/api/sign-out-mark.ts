/**
 * In the storage while the server has not heard that somebody signed out here: script can not remove the cookie, so their session is open
 * until it has. By itself, for pages that forget it and never tell it.
 */
export const SIGN_OUT_UNHEARD = 'signOutUnheard';
