export interface Location {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  /** The one that is meant where none was chosen: true of one at most. */
  readonly isDefault?: boolean;
}

/** What a store's numbers mean. */
export type StoreUnits = Pick<StoreInfo, 'currency' | 'pricesIncludeTax' | 'chargesTax' | 'weightUnit'>;

/** What a store says about itself; read when it is connected and re-read on a timer. */
export interface StoreInfo {
  /** Identity of the shop on its platform, e.g. its permanent domain or home address: the same shop, the same text. */
  readonly identity: string;
  readonly name: string;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly timeZone: string;
  /** Null: the store does not say, or charges no tax. */
  readonly pricesIncludeTax: boolean | null;
  /** False: taxes are switched off. A price is what is paid then, whichever basis the other store has. Absent: they are on, for all that is known. */
  readonly chargesTax?: boolean;
  /** kg, g, lb or oz. */
  readonly weightUnit: string;
  /** Platform version as people know it, e.g. "10.5.0" or "2026-10". */
  readonly version: string;
  readonly productCount: number | null;
  /** Stock locations; platforms without any report one with id 'default'. */
  readonly locations: readonly Location[];
  /** Their clock minus ours, ms, when it could be told. */
  readonly clockSkewMs: number | null;
}

export const FINDING_LEVELS = ['ok', 'warning', 'error'] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

/** One result of the store doctor, in plain words, with the remedy. */
export interface Finding {
  /** UPPER_SNAKE, stable. */
  readonly code: string;
  readonly level: FindingLevel;
  readonly message: string;
  readonly remedy: string;
}

/** What the doctors call it that a store does not know us, or lets nobody in with a key. */
const NO_ACCESS: ReadonlySet<string> = new Set([
  ...['KEY_UNKNOWN', 'KEY_WRITE_ONLY', 'SECRET_WRONG', 'UNAUTHORIZED', 'API_CLOSED', 'PASSWORD_PROTECTED'],
  ...['CREDENTIALS_REFUSED', 'CREDENTIALS_OTHER_ORGANISATION', 'STORE_UNAUTHORIZED'],
]);

/** Whether a finding says that the store does not let us in, or not as far as we need. One that is away or broken lets nobody in, and is back by itself. */
export function isShutOut(finding: Pick<Finding, 'code' | 'level'>): boolean {
  return finding.level === 'error' && (NO_ACCESS.has(finding.code) || isAboutRights(finding));
}

/** Whether a finding says what our key or app may not do in the store. */
export function isAboutRights({ code }: Pick<Finding, 'code'>): boolean {
  return code === 'KEY_READ_ONLY' || code.startsWith('SCOPE_MISSING_');
}
