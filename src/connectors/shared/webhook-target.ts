import type { Finding } from '../../model/store-info.ts';

/** Names and addresses that nobody on the internet reaches. */
const PRIVATE_HOST = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|\[)/;

export function isPrivateHost(hostname: string): boolean {
  return PRIVATE_HOST.test(hostname);
}

/** What the doctor says where no store on the internet can call this server. */
export const NO_WEBHOOK_ADDRESS: Finding = {
  code: 'WEBHOOKS_NO_ADDRESS',
  level: 'warning',
  message:
    'The store can not call this server, so changes are found by asking it: they take minutes instead of seconds.',
  remedy: 'Make this server reachable at a public https address, and start it with that as PUBLIC_URL.',
};

export function webhooksGoTo(callbackUrl: string): Finding {
  return {
    code: 'WEBHOOKS_DELIVERABLE',
    level: 'ok',
    message: `The store’s webhooks are sent to ${new URL(callbackUrl).origin}.`,
    remedy: '',
  };
}
