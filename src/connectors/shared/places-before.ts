/**
 * The place that each of `names` has among the options `before`, -1 for one that is new. An option is known by its name, wherever it stands; what then is
 * left on both sides has been renamed, in order.
 */
export function placesBefore(before: readonly string[], names: readonly string[]): number[] {
  const fold = (name: string) => name.trim().toLowerCase();
  const known = before.map(fold);
  const places = names.map((name) => known.indexOf(fold(name)));
  const left = [...known.keys()].filter((place) => !places.includes(place));
  return places.map((place) => (place >= 0 ? place : (left.shift() ?? -1)));
}
