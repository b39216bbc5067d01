import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Device } from './context.ts';

const TOKEN_BYTES = 18;

/**
 * Guards the first account, which owns the instance: who reaches an address on the network first must not own what somebody else started.
 * From the machine itself none is needed, unless the operator set one.
 */
export interface SetupToken {
  isNeeded(device: Pick<Device, 'isLocal'>): boolean;
  matches(given: string): boolean;
  /** Shows the token to whoever reads the server's output, once; does nothing when the operator chose it. */
  announce(): void;
}

/** `given`: the operator's own; null: one is made, and shown by `show` when it is first needed. It is forgotten when the process ends. */
export function createSetupToken(given: string | null, show: (token: string) => void): SetupToken {
  const token = given ?? randomBytes(TOKEN_BYTES).toString('base64url');
  let isShown = given !== null;
  return {
    isNeeded: (device) => given !== null || !device.isLocal,
    matches: (candidate) => timingSafeEqual(digest(candidate), digest(token)),
    announce() {
      if (!isShown) show(token);
      isShown = true;
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
