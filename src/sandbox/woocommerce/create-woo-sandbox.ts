import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { controlHandler } from './control-routes.ts';
import { buildControls, type Controls } from './controls.ts';
import type { FaultHook } from './faults.ts';
import { buildApp } from './http-app.ts';
import { resolveOptions, type WooSandboxOptions } from './options.ts';
import { RestServer } from './rest-server.ts';
import { Site } from './site.ts';
import { Stats } from './stats.ts';
import { WebhookEngine } from './webhook-engine.ts';

export interface WooSandbox {
  /** `app.inject` reaches the store without a socket. */
  readonly app: FastifyInstance;
  readonly controls: Controls;
  readonly stats: Stats;
  /** The store's public address, right only after `listen` unless `siteUrl` was given. */
  readonly url: () => string;
  /** Port 0 takes a free one. `url` carries the base path, `origin` does not. */
  listen(port?: number, host?: string): Promise<{ origin: string; url: string }>;
  close(): Promise<void>;
}

/** A WooCommerce store that speaks REST API v3, in memory. Everything it does was measured on a real one. */
export function createWooSandbox(options: WooSandboxOptions = {}): WooSandbox {
  const site = new Site(resolveOptions(options));
  const engine = new WebhookEngine(site);
  const stats = new Stats();
  const fault: { hook: FaultHook | null } = { hook: null };
  const controls = buildControls(site, engine, fault);
  const rest = new RestServer(site, engine);
  const app = buildApp({ site, rest, engine, stats, fault, handleControl: controlHandler(controls, stats) });
  return {
    app,
    controls,
    stats,
    url: () => site.url(''),
    async listen(port = 0, host = '127.0.0.1') {
      await app.listen({ port, host });
      const address = app.server.address() as AddressInfo;
      const origin = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
      site.origin = origin;
      return { origin, url: site.url('') };
    },
    async close() {
      await engine.close();
      await app.close();
    },
  };
}
