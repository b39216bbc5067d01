import type { Config } from './config.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Whether somebody else than this machine may reach the server. */
export function isOpenToNetwork(config: Pick<Config, 'server' | 'allowLocalStores'>): boolean {
  return !LOOPBACK.test(config.server.host) || isPublished(config);
}

/**
 * Whether people come by an address of its own, so that something in front of it may carry them in: a proxy that adds no header makes every
 * stranger look like this machine. Not where stores of this machine may be connected: that is somebody's trial.
 */
export function isPublished({ server, allowLocalStores }: Pick<Config, 'server' | 'allowLocalStores'>): boolean {
  return server.publicUrl !== null && !allowLocalStores && !LOOPBACK.test(new URL(server.publicUrl).hostname);
}
