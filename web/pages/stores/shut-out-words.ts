import type { Store } from '../../api/stores.ts';

/** Why a store lets nobody in with our keys, and where it is told what to do about it. A store that is only away for a while is not meant. */
export function shutOutWords({ name, statusReason }: Pick<Store, 'name' | 'statusReason'>): string {
  const reason = (statusReason ?? '').replace(/[\s.]+$/, '');
  return `${name} does not let us in any more${reason === '' ? '' : `: ${reason}`}. Test the connection to see what shuts us out and what to do.`;
}

/** Of a store that has not answered for some time. */
export function awayWords({ name }: Pick<Store, 'name'>): string {
  return `${name} has not answered for some time. It is asked again by itself, and what was missed is caught up. See whether the store opens in a browser; where it has moved, enter its new address.`;
}
