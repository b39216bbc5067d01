const ALLOWED_PORTS = new Set(['', '80', '443', '8080']);

/** wp_http_validate_url: private hosts and odd ports are refused, unless they are the site's own. */
export function isSafeUrl(url: string, siteUrl: string): boolean {
  if (!URL.canParse(url) || !URL.canParse(siteUrl)) return false;
  const target = new URL(url);
  const site = new URL(siteUrl);
  if (!['http:', 'https:'].includes(target.protocol) || target.username !== '') return false;
  const isOwnHost = target.hostname === site.hostname;
  if (!isOwnHost && isPrivateHost(target.hostname)) return false;
  return ALLOWED_PORTS.has(target.port) || (isOwnHost && target.port === site.port);
}

function isPrivateHost(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost') || host.startsWith('[')) return true;
  const parts = host.split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part))) return false;
  const [a = 0, b = 0] = parts;
  return a === 127 || a === 10 || a === 0 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168);
}
