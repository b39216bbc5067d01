import type { Server } from '../http/types.ts';
import { StartupError } from '../lib/startup-error.ts';

/**
 * Connections that the system completes while the event loop is busy. WooCommerce opens one for each webhook: with Node's own 511, half a second
 * of a thousand a second fills the queue, and what comes then is broken off after some seconds without an answer. Linux takes at most
 * `net.core.somaxconn` (4,096 since 5.4).
 */
const BACKLOG = 4_096;

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Listens, or says in words for a person why that can't be. */
export async function listen(server: Server, address: Address): Promise<void> {
  const { host, port } = address;
  try {
    await server.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'EADDRINUSE') {
      throw new StartupError(`Port ${port} on ${host} is in use.`, 'Stop what uses it, or set PORT to another one.');
    }
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new StartupError(
        `Can not listen on ${host}: no address is known by this name (${code}).`,
        'Set HOST to an address of this machine: 127.0.0.1 for itself alone, 0.0.0.0 for others too.',
      );
    }
    if (typeof code !== 'string' || code.startsWith('FST_')) throw error;
    // EACCES, EADDRNOTAVAIL, EAFNOSUPPORT (an address of IPv6 in a container that has none), EINVAL, ...
    throw new StartupError(
      `Can not listen on ${host}, port ${port} (${code}).`,
      'Set HOST and PORT to what this machine allows.',
    );
  }
}
