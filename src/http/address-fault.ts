import type { ConnectStoreBody } from '../contracts/stores.ts';
import { Refusal } from '../model/refusal.ts';
import type { Finding } from '../model/store-info.ts';

/** What the doctors call it that nothing which could be a store answers where the form says that it is. */
const ABOUT_THE_ADDRESS: ReadonlySet<string> = new Set([
  ...['NO_SUCH_HOST', 'NAME_LOOKUP_FAILED', 'UNREACHABLE', 'TIMED_OUT', 'NOT_HTTP', 'NOT_HTTPS', 'TLS_FAILED'],
  ...['CERTIFICATE_UNTRUSTED', 'CERTIFICATE_EXPIRED', 'CERTIFICATE_NOT_YET_VALID', 'CERTIFICATE_WRONG_NAME'],
  ...['REDIRECTED', 'REDIRECTED_TO_HTTP', 'REDIRECTED_IN_A_CIRCLE', 'HTTPS_NEEDED', 'ADDRESS_NOT_PUBLIC'],
  ...['NOT_WORDPRESS', 'ADDRESS_IS_A_PAGE'],
]);

/**
 * A store that can't be reached is a fault of one field, the address: named as such, a form shows the words beside it and takes a person there. What else
 * the doctor found stays about the form as a whole. Anything that is no such refusal is given back as it came.
 */
export function nameAddressFault(error: unknown, platform: ConnectStoreBody['platform']): unknown {
  if (!(error instanceof Refusal) || error.code !== 'STORE_CHECK_FAILED') return error;
  const found = error.details['findings'];
  const bad = (Array.isArray(found) ? (found as Finding[]) : []).filter(({ level }) => level === 'error');
  const [first] = bad;
  if (bad.length !== 1 || first === undefined || !ABOUT_THE_ADDRESS.has(first.code)) return error;
  const field = platform === 'woocommerce' ? 'url' : 'shopDomain';
  const fields = [{ field, message: `${field}: ${error.message}` }];
  return new Refusal(error.code, error.message, { ...error.details, fields });
}
