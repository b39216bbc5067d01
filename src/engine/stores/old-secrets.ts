import type { StoreRow } from '../../db/schema/store.ts';
import type { StoreId } from '../../model/ids.ts';
import type { Cipher } from '../../ports/cipher.ts';

/** A secret that webhooks were signed with before, and until when that is still good, ms. */
export interface OldSecret {
  readonly secret: string;
  readonly until: number;
}

/** Newest first. */
export function openOldSecrets(
  cipher: Cipher,
  store: Pick<StoreRow, 'id' | 'webhookSecretPrevious'>,
): readonly OldSecret[] {
  if (store.webhookSecretPrevious === null) return [];
  const text = cipher.open(store.webhookSecretPrevious, contextOf(store.id));
  // Databases of before several were kept hold a single one, as it is: its job ends it.
  return text.startsWith('[') ? (JSON.parse(text) as OldSecret[]) : [{ secret: text, until: 0 }];
}

export function sealOldSecrets(
  cipher: Cipher,
  storeId: StoreId,
  secrets: readonly OldSecret[],
): StoreRow['webhookSecretPrevious'] {
  return secrets.length === 0 ? null : cipher.seal(JSON.stringify(secrets), contextOf(storeId));
}

function contextOf(storeId: StoreId): string {
  return `store.webhook_secret:${storeId}`;
}
