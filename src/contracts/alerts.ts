import { type Static, Type } from 'typebox';
import { ALERT_KINDS, ALERT_MODES } from '../model/alert.ts';
import { Count, IsoTime, nullable } from './shared.ts';

/** A time of day: minutes from midnight. */
const Minute = Type.Integer({ minimum: 0, maximum: 1439 });
const Mode = Type.Enum(ALERT_MODES);

const RULES = {
  sync_failed: Mode,
  store_unreachable: Mode,
  pair_halted: Mode,
  oversold: Mode,
  conflict_waiting: Mode,
  /** A limit of usage comes near (above 80 percent), or is passed. */
  usage: Mode,
} as const;

const SETTINGS = {
  /** Nothing is sent within; it may span midnight. */
  quietHours: nullable(Type.Object({ from: Minute, to: Minute })),
  digestAt: Minute,
  /** IANA name. */
  timeZone: Type.String({ minLength: 1, maxLength: 64 }),
} as const;

export const AlertSettings = Type.Object({ rules: Type.Object(RULES), ...SETTINGS });
export type AlertSettings = Static<typeof AlertSettings>;

/** What is not named stays as it is. */
export const ChangeAlertsBody = Type.Object({
  rules: Type.Optional(Type.Partial(Type.Object(RULES))),
  ...Type.Partial(Type.Object(SETTINGS)).properties,
});
export type ChangeAlertsBody = Static<typeof ChangeAlertsBody>;

export const Alert = Type.Object({
  kind: Type.Enum(ALERT_KINDS),
  message: Type.String(),
  /** How often it happened before it was told. */
  count: Count,
  raisedAt: IsoTime,
  dueAt: IsoTime,
  sentAt: nullable(IsoTime),
  /** To how many it was sent then: members by email, and chats. 0 until then. Without a mail server the emails wait in the outbox. */
  emailCount: Count,
  chatCount: Count,
});
export type Alert = Static<typeof Alert>;

/** `recent`: newest first. */
export const AlertsReply = Type.Object({ settings: AlertSettings, recent: Type.Array(Alert) });
export type AlertsReply = Static<typeof AlertsReply>;

export const AlertSettingsReply = Type.Object({ settings: AlertSettings });
