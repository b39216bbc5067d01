import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Device } from './context.ts';

const TOKEN_BYTES = 18;

/**
 * Guards the first account, which owns the instance: who reaches an address on the network first must not own what somebody else started.
 * From the machine itself none is needed, unless the operator set one, or the instance has a public address.
 */
export interface SetupToken {
  isNeeded(device: Pick<Device, 'isLocal'>): boolean;
  matches(given: string): boolean;
  /** Shows the token to whoever reads the server's output, once; does nothing when the operator chose it. */
  announce(): void;
}

interface SetupOptions {
  /** The operator's own; null: one is made, and forgotten when the process ends. */
  readonly given: string | null;
  /** People come by an address of its own: then no request counts as this machine's, whatever it looks like. */
  readonly isPublished: boolean;
  /** Shows the one that was made, when it is first needed. */
  readonly show: (token: string) => void;
}

export function createSetupToken({ given, isPublished, show }: SetupOptions): SetupToken {
  const token = given ?? randomBytes(TOKEN_BYTES).toString('base64url');
  let isShown = given !== null;
  return {
    isNeeded: (device) => given !== null || isPublished || !device.isLocal,
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
