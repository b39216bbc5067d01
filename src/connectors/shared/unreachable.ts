import { parseUrl } from './parse-url.ts';

/** Why a server can't be talked to, for people. */
export interface Unreachable {
  /** UPPER_SNAKE, stable: what the doctors call it. */
  readonly code: string;
  /** A clause without its full stop, so that it stands behind a colon as well as alone. */
  readonly words: string;
  readonly remedy: string;
}

const IN_BROWSER = 'See whether the shop opens in a browser at this address.';
const OWN_NETWORK = 'the machine that this program runs on';

/**
 * What a code of the system, of OpenSSL or of the HTTP client means, in the words of a shop: a person can mend "the certificate has expired", and
 * can't mend "ECONNREFUSED". Null for a code that says nothing by itself.
 */
export function explainUnreachable(code: string, address: string): Unreachable | null {
  const url = parseUrl(address);
  const host = url?.hostname ?? address;
  const port = url?.port || (url?.protocol === 'http:' ? '80' : '443');
  const place = `${host} on port ${port}`;
  const told = (name: string, words: string, remedy: string): Unreachable => ({ code: name, words, remedy });
  switch (code) {
    case 'ENOTFOUND':
      return told(
        'NO_SUCH_HOST',
        `there is no server by the name of ${host}`,
        'Check the address for typing errors. A domain that was just registered takes some hours until it is known everywhere.',
      );
    case 'ECONNREFUSED':
      return told(
        'UNREACHABLE',
        `nothing answers at ${place}`,
        `${portRemedy(url)} If it is right, the web server of the shop is switched off, or a firewall turns us away.`,
      );
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return told(
        'UNREACHABLE',
        `no way leads from here to ${host}`,
        `Check the address, and the network of ${OWN_NETWORK} (its firewall, and IPv6 where the shop has no other address).`,
      );
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return told(
        'TIMED_OUT',
        `no connection to ${place} comes about in time`,
        `${IN_BROWSER} If it does, a firewall keeps this server out: have the address of ${OWN_NETWORK} allowed there.`,
      );
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return told(
        'UNREACHABLE',
        `the connection to ${place} was cut off before an answer came`,
        url?.protocol === 'http:'
          ? 'Try again. If it lasts, this port may want encryption: give the address with https://. Or a firewall cuts us off: have this server allowed there.'
          : 'Try again. If it lasts, a firewall cuts us off (have this server allowed there), or what listens on this port is no web server.',
      );
    case 'HTTP_PARSER_ERROR':
      return told('NOT_HTTP', `what answers at ${place} is no web server`, portRemedy(url));
    case 'UND_ERR_HEADERS_OVERFLOW':
      return told(
        'NOT_HTTP',
        `the answer from ${place} has a head too large to be read`,
        'Find the plugin or proxy that adds so many headers or cookies to the answers of /wp-json/, and have it leave them alone.',
      );
    default:
      if (code.startsWith('EAI_'))
        return told(
          'NAME_LOOKUP_FAILED',
          `the name ${host} could not be looked up`,
          `Try again in a minute. If it lasts, check the name servers (DNS) of ${OWN_NETWORK}.`,
        );
      return explainTls(code, host, place, url);
  }
}

function explainTls(code: string, host: string, place: string, url: URL | null): Unreachable | null {
  const install = 'Install a certificate of a public authority (most hosts do it for free), complete with its chain.';
  const untrusted = (words: string, remedy = install) => ({ code: 'CERTIFICATE_UNTRUSTED', words, remedy });
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return untrusted(`the certificate of ${host} is self-signed`);
  if (code === 'SELF_SIGNED_CERT_IN_CHAIN')
    return untrusted(
      `the certificate of ${host} comes from an authority that is not known publicly`,
      `${install} If the shop has one, a proxy or virus scanner between it and ${OWN_NETWORK} puts its own in place: have it leave ${host} alone.`,
    );
  if (/UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code))
    return untrusted(
      `the certificate of ${host} comes without its chain, or from an authority that is not known publicly`,
    );
  if (code === 'CERT_HAS_EXPIRED')
    return {
      code: 'CERTIFICATE_EXPIRED',
      words: `the certificate of ${host} has expired`,
      remedy: 'Renew the certificate; hosts usually do it by themselves.',
    };
  if (code === 'CERT_NOT_YET_VALID')
    return {
      code: 'CERTIFICATE_NOT_YET_VALID',
      words: `the certificate of ${host} is not valid yet`,
      remedy: `Check the clock of ${OWN_NETWORK}. If it is right, the certificate was made for a later day: have it made anew.`,
    };
  if (/ALTNAME|HOSTNAME/.test(code))
    return {
      code: 'CERTIFICATE_WRONG_NAME',
      words: `the certificate that ${host} shows is for another name`,
      remedy:
        'Use the address that the certificate is for (often with or without "www."), or have it renewed for this one.',
    };
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(code))
    return {
      code: 'NOT_HTTPS',
      words: `what answers at ${place} does not speak https`,
      remedy: `${portRemedy(url)} The shop needs an https:// address; where it has none, most hosts give a certificate for free.`,
    };
  if (/CERT|TLS|SSL|^EPROTO$/.test(code))
    return {
      code: 'TLS_FAILED',
      words: `no encrypted connection can be made to ${place}`,
      remedy: 'The server has to offer TLS 1.2 or newer, and a certificate for this name.',
    };
  return null;
}

/** A port is in few addresses of shops, and wrong in many of those. */
function portRemedy(url: URL | null): string {
  return url === null || url.port === '' ? 'Check the address.' : 'Check the address, and the number behind its colon.';
}
