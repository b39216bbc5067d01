import type { AddressInfo } from 'node:net';
import type { Config } from '../config/config.ts';

/** Where this machine reaches a server that listens at `address`. */
export function localUrlOf(config: Config, address: AddressInfo | string | null): string {
  const port = typeof address === 'object' && address !== null ? address.port : config.server.port;
  const { host } = config.server;
  const isAny = host === '0.0.0.0' || host === '::' || host === 'localhost';
  const name = isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${config.server.tls === null ? 'http' : 'https'}://${name}:${port}`;
}
