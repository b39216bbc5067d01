import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { SandboxEnvironment, WebhookRequest } from './types.ts';

/** The real clock, real timers and real sockets; any part may be replaced. */
export function createEnvironment(overrides: Partial<SandboxEnvironment> = {}): SandboxEnvironment {
  return {
    now: () => Date.now(),
    setTimer: (run, delayMs) => {
      const handle = setTimeout(run, delayMs);
      // A webhook retry four hours away must not keep a finished test process alive.
      handle.unref();
      return handle;
    },
    clearTimer: (handle) => clearTimeout(handle as NodeJS.Timeout),
    deliver: deliverOverHttp,
    random: () => Math.random(),
    ...overrides,
  };
}

/** One POST, no redirects followed: Shopify counts a 3xx as a failure. */
function deliverOverHttp(webhook: WebhookRequest): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const url = new URL(webhook.url);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, {
      method: 'POST',
      // On this machine the server's certificate bears the name that the world calls it by.
      rejectUnauthorized: url.hostname !== '127.0.0.1',
      headers: { ...webhook.headers, 'Content-Length': String(Buffer.byteLength(webhook.body)) },
    });
    const connectTimer = setTimeout(() => request.destroy(new Error('connect timeout')), webhook.connectTimeoutMs);
    const totalTimer = setTimeout(() => request.destroy(new Error('timeout')), webhook.timeoutMs);
    const finish = () => {
      clearTimeout(connectTimer);
      clearTimeout(totalTimer);
    };
    request.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => clearTimeout(connectTimer));
      else clearTimeout(connectTimer);
    });
    request.on('response', (response) => {
      response.resume();
      response.on('end', () => {
        finish();
        resolve({ status: response.statusCode ?? 0 });
      });
      response.on('error', (error) => {
        finish();
        reject(error);
      });
    });
    request.on('error', (error) => {
      finish();
      reject(error);
    });
    request.end(webhook.body);
  });
}
