import type { Alert, AlertKind, AlertMode, AlertSettings, ChangeAlertsBody } from '../../../api/alerts.ts';
import { formatWhen, plural } from '../../../hooks/format.ts';
import { browserZones, namedZones } from '../time-zones.ts';

export const KIND_LABEL: Readonly<Record<AlertKind, string>> = {
  sync_failed: 'A sync failed',
  store_unreachable: 'A store can not be worked with',
  pair_halted: 'A pair was halted for safety',
  oversold: 'More was sold than there was',
  conflict_waiting: 'A conflict waits for a decision',
  usage: 'A limit of usage comes near or is passed',
};
export const ALERT_KINDS = Object.keys(KIND_LABEL) as readonly AlertKind[];

export const MODES: readonly { readonly value: AlertMode; readonly label: string }[] = [
  { value: 'now', label: 'At once' },
  { value: 'digest', label: 'Once a day' },
  { value: 'off', label: 'Off' },
];

/** Minutes from midnight as a time field has them: "08:00". */
export function timeOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** The other way; null: no time. */
export function minuteOf(time: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)/.exec(time);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

export interface AlertForm {
  readonly rules: AlertSettings['rules'];
  readonly isQuiet: boolean;
  readonly from: string;
  readonly to: string;
  readonly digestAt: string;
  readonly timeZone: string;
}

/** What quiet hours begin with when somebody wants some. */
const NIGHT = { from: 22 * 60, to: 7 * 60 };

export function alertFormOf({ rules, quietHours, digestAt, timeZone }: AlertSettings): AlertForm {
  const { from, to } = quietHours ?? NIGHT;
  return {
    ...{ rules, timeZone, isQuiet: quietHours !== null },
    ...{ from: timeOf(from), to: timeOf(to), digestAt: timeOf(digestAt) },
  };
}

/** What was changed in the form, and nothing else: the rest is as it is stored, whoever stores it. */
export type AlertEdits = Partial<Omit<AlertForm, 'rules'>> & { readonly rules?: Partial<AlertForm['rules']> };

/** The edits over what is stored. */
export function editedForm(settings: AlertSettings, edits: AlertEdits): AlertForm {
  const stored = alertFormOf(settings);
  return { ...stored, ...edits, rules: { ...stored.rules, ...edits.rules } };
}

/** What is still an edit once `sent` is stored. */
export function editsLeft({ rules = {}, ...edits }: AlertEdits, sent: AlertForm): AlertEdits {
  const unlike = <Values extends object>(values: Values, from: Values): Values =>
    Object.fromEntries(
      Object.entries(values).filter(([name, value]) => value !== from[name as keyof Values]),
    ) as Values;
  return { ...unlike<Omit<AlertEdits, 'rules'>>(edits, sent), rules: unlike<typeof rules>(rules, sent.rules) };
}

export type AlertField = 'from' | 'to' | 'digestAt';

export function checkAlerts(form: AlertForm): { readonly [Field in AlertField]?: string } {
  const missing = 'Enter a time of day.';
  return {
    ...(form.isQuiet && minuteOf(form.from) === null ? { from: missing } : {}),
    ...(form.isQuiet && minuteOf(form.to) === null ? { to: missing } : {}),
    ...(minuteOf(form.digestAt) === null ? { digestAt: missing } : {}),
  };
}

/** Only what was changed: what a colleague has changed meanwhile stays. Of edits that make a form without faults. */
export function alertChange(edits: AlertEdits, settings: AlertSettings): ChangeAlertsBody {
  const form = editedForm(settings, edits);
  const [from, to, digestAt] = [form.from, form.to, form.digestAt].map((time) => minuteOf(time) ?? 0) as [
    number,
    number,
    number,
  ];
  const quietHours = form.isQuiet ? { from, to } : null;
  const isQuietMoved = quietHours?.from !== settings.quietHours?.from || quietHours?.to !== settings.quietHours?.to;
  const rules = Object.fromEntries(
    ALERT_KINDS.filter((kind) => form.rules[kind] !== settings.rules[kind]).map((kind) => [kind, form.rules[kind]]),
  );
  return {
    ...(Object.keys(rules).length > 0 ? { rules } : {}),
    ...(isQuietMoved ? { quietHours } : {}),
    ...(digestAt !== settings.digestAt ? { digestAt } : {}),
    ...(form.timeZone !== settings.timeZone ? { timeZone: form.timeZone } : {}),
  };
}

/** To whom an alert went, as far as that is known here. `isMailSent` false: there is no mail server. */
export function fateWords(
  { dueAt, sentAt, emailCount, chatCount }: Pick<Alert, 'dueAt' | 'sentAt' | 'emailCount' | 'chatCount'>,
  isMailSent: boolean | undefined,
): string {
  if (sentAt === null) return `To be sent ${formatWhen(dueAt)}`;
  const emails = `${plural(emailCount, 'email')}${isMailSent === false ? ' to the outbox' : ''}`;
  const told = [...(emailCount > 0 ? [emails] : []), ...(chatCount > 0 ? [plural(chatCount, 'chat')] : [])];
  if (told.length === 0) return `Due ${formatWhen(sentAt)}, and there was nobody to tell`;
  return `Passed on ${formatWhen(sentAt)}: ${told.join(', ')}`;
}

/** The server's own, all that the browser knows, and the one that is set. */
export function timeZones(current: string): readonly { readonly value: string; readonly label: string }[] {
  return namedZones(current, ['UTC', ...browserZones().known]);
}
