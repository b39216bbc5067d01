import { isInRanges } from '../../lib/address-range.ts';
import type { Log } from '../../ports/log.ts';
import type { Server } from '../types.ts';

/** Who writes from here with a forwarded header is a proxy of the operator's. From elsewhere anybody can claim to be one. */
const OWN_NETWORKS = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/**
 * Says once that a proxy stands in front which TRUSTED_PROXIES does not name. All visitors have its address then: one who fails to sign in slows
 * everybody down, and what is bounded or noted by address is of no use.
 */
export function addUndeclaredProxyNotice(server: Server, log: Log, trusted: readonly string[]): void {
  let isTold = false;
  server.addHook('onRequest', async (request) => {
    if (isTold) return;
    const { headers, socket } = request.raw;
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
    const peer = socket.remoteAddress ?? '';
    if (isInRanges(peer, trusted) || !isInRanges(peer, OWN_NETWORKS)) return;
    isTold = true;
    log.warn(
      { proxy: peer },
      'A proxy that TRUSTED_PROXIES does not name forwards requests, so all visitors count as one. Set TRUSTED_PROXIES to its address.',
    );
  });
}
