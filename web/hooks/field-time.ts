import { shownZone } from './format.ts';

/** What a clock on the wall shows at a moment, in the zone that times are shown in, as if it were UTC. */
function wallMs(ms: number): number {
  const zone = shownZone();
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    hourCycle: 'h23',
    ...(zone === undefined ? {} : { timeZone: zone }),
  }).formatToParts(ms);
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** A moment as a `datetime-local` field has it. The browser would take its own zone, beside times that the page shows in another. */
export function fieldTime(at: Date): string {
  return new Date(wallMs(at.getTime())).toISOString().slice(0, 16);
}

/** The other way; null: it is no time. Of a time that the clocks skip, or show twice, one of the moments that can be meant. */
export function momentOf(text: string): Date | null {
  const wanted = Date.parse(`${text}Z`);
  if (Number.isNaN(wanted)) return null;
  // The first guess can lie on the other side of a change of the clocks.
  const guess = wanted - (wallMs(wanted) - wanted);
  return new Date(wanted - (wallMs(guess) - guess));
}

/** Whose clock a field goes by, to stand before its hint; '' where it is the browser's, as people expect. */
export function zoneNote(): string {
  const zone = shownZone();
  if (zone === undefined || zone === new Intl.DateTimeFormat().resolvedOptions().timeZone) return '';
  return `In ${zone.replaceAll('_', ' ')} time. `;
}
