/** The specification's; every other one that the browser knows stands below them. */
const FIRST: readonly (readonly [zone: string, label: string])[] = [
  ['America/New_York', 'New York'],
  ['America/Chicago', 'Chicago'],
  ['America/Denver', 'Denver'],
  ['America/Los_Angeles', 'Los Angeles'],
  ['Europe/London', 'London'],
  ['Europe/Paris', 'Paris'],
  ['Asia/Tokyo', 'Tokyo'],
];

/** `stored` is offered even where the browser does not know it: opening the settings changes nothing. */
export function namedZones(
  stored: string,
  known: readonly string[],
): readonly { readonly value: string; readonly label: string }[] {
  const first = new Set(FIRST.map(([zone]) => zone));
  const others = new Set(known.filter((zone) => !first.has(zone)));
  if (stored !== '' && !first.has(stored)) others.add(stored);
  return [
    ...FIRST.map(([value, label]) => ({ value, label })),
    ...[...others].sort().map((value) => ({ value, label: words(value) })),
  ];
}

/** The same, for whoever may also leave it to the browser. */
export function timeZoneOptions(
  stored: string,
  { own, known }: { readonly own: string; readonly known: readonly string[] },
): readonly { readonly value: string; readonly label: string }[] {
  const label = own === '' ? 'As in this browser' : `As in this browser (${words(own)})`;
  return [{ value: '', label }, ...namedZones(stored, known)];
}

function words(zone: string): string {
  return zone.replaceAll('_', ' ');
}

/** What this browser is set to, and what it can show times in. */
export function browserZones(): { readonly own: string; readonly known: readonly string[] } {
  return {
    own: new Intl.DateTimeFormat().resolvedOptions().timeZone ?? '',
    known: Intl.supportedValuesOf('timeZone'),
  };
}
