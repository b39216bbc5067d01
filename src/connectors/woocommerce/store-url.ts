import { ConnectorError } from '../../model/connector-error.ts';
import { parseUrl } from '../shared/parse-url.ts';

/** Pages that people copy the address from: everything from there on is no part of the store's address. */
const NOT_OF_THE_STORE =
  /\/(?:wp-admin|wp-json|wp-login\.php|wp-content|wp-includes|index\.php|xmlrpc\.php|wc-auth)(?:\/.*)?$/i;

/** A store on this machine hardly ever has a certificate. */
const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/?#]|$)/i;

/**
 * The address of a store as we call it ("https://shop.example/sub") from what a person pasted: "https://" is added
 * where no scheme is given ("http://" on this machine), a path is kept, pages of the admin area, query and trailing slashes are dropped. Throws
 * `rejected` with plain words for what can't be an address.
 */
export function normaliseStoreUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw refuse('enter the address of your store, such as https://shop.example');
  if (/\s/.test(trimmed)) throw refuse('an address has no spaces');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') throw refuse(`"${scheme}://" is no web address`);
  const bare = trimmed.replace(/^\/+/, '');
  const url = parseUrl(scheme === undefined ? `${THIS_MACHINE.test(bare) ? 'http' : 'https'}://${bare}` : trimmed);
  if (!url || url.hostname === '') throw refuse('this is no web address');
  if (url.username !== '' || url.password !== '') throw refuse('leave the user name and password out of the address');
  if (!url.hostname.includes('.') && !url.hostname.includes(':') && url.hostname !== 'localhost') {
    throw refuse(`"${url.hostname}" is no full address: is ".com" or the like missing?`);
  }
  const path = url.pathname
    .replace(/\/{2,}/g, '/')
    .replace(NOT_OF_THE_STORE, '')
    .replace(/\/+$/, '');
  return `${url.origin}${path}`;
}

function refuse(message: string): ConnectorError {
  return new ConnectorError('rejected', message, { field: 'url' });
}
