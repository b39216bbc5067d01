/** What people are told of, besides the dashboard. */
export const ALERT_KINDS = [
  'sync_failed',
  'store_unreachable',
  'pair_halted',
  'oversold',
  'conflict_waiting',
  'usage',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** `now`: within a minute, together with what happens in it · `digest`: once a day · `off`. */
export const ALERT_MODES = ['now', 'digest', 'off'] as const;
export type AlertMode = (typeof ALERT_MODES)[number];

/** Times of day as minutes from midnight, by the clock on the wall of `timeZone`. */
export interface AlertSettings {
  readonly rules: Readonly<Record<AlertKind, AlertMode>>;
  /** Nothing is sent within; it may span midnight. What waits goes out at its end. */
  readonly quietHours: { readonly from: number; readonly to: number } | null;
  readonly digestAt: number;
  /** IANA name. */
  readonly timeZone: string;
}

export const DEFAULT_ALERT_SETTINGS: AlertSettings = {
  rules: {
    sync_failed: 'now',
    store_unreachable: 'now',
    pair_halted: 'now',
    oversold: 'now',
    conflict_waiting: 'digest',
    usage: 'now',
  },
  quietHours: null,
  digestAt: 8 * 60,
  timeZone: 'UTC',
};
