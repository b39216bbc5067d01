import type { Store, UpdateStoreBody } from '../../api/stores.ts';
import { STORE_SETTINGS } from '../../content/store-settings.ts';
import { addressesOf, firstNoAddress } from '../../hooks/address-lines.ts';
import type { Refused } from '../../hooks/use-refusals.ts';
import { changedIn } from './changed-in.ts';

/** As the server calls them: what it refuses is told beside them. */
export const STORE_FIELDS = ['name', 'webhookSources'] as const;
export type StoreField = (typeof STORE_FIELDS)[number];
/** `webhookSources`: one address or range a line. */
export type StoreForm = Readonly<Record<StoreField, string>>;

export const STORE_NAME_MAX = 120;
const SOURCES_MAX = 100;
/** What an address is quoted with, of whatever was pasted in its place. */
const QUOTED_MAX = 60;

export function storeFormOf({ name, webhookSources }: Pick<Store, StoreField>): StoreForm {
  return { name, webhookSources: webhookSources.join('\n') };
}

export function checkStoreForm(form: StoreForm): Refused<StoreField> {
  const words = STORE_SETTINGS;
  const sources = addressesOf(form.webhookSources);
  const bad = firstNoAddress(sources);
  const sourcesFault =
    bad !== null
      ? words.noAddress(bad.length > QUOTED_MAX ? `${bad.slice(0, QUOTED_MAX)}…` : bad)
      : sources.length > SOURCES_MAX
        ? words.tooManySources(SOURCES_MAX)
        : null;
  return {
    ...(form.name.trim() === '' ? { name: words.nameMissing } : {}),
    ...(sourcesFault === null ? {} : { webhookSources: sourcesFault }),
  };
}

/** Only what differs from how it was when the form was opened; an order or a spacing of the list is no difference. */
export function storeChangeOf(form: StoreForm, opened: StoreForm): UpdateStoreBody {
  const sorted = (text: string): string => [...addressesOf(text)].sort().join('\n');
  const plain = ({ name, webhookSources }: StoreForm) => ({
    name: name.trim(),
    webhookSources: sorted(webhookSources),
  });
  const changed = changedIn(plain(form), plain(opened));
  return {
    ...(changed.name === undefined ? {} : { name: changed.name }),
    ...(changed.webhookSources === undefined ? {} : { webhookSources: [...addressesOf(form.webhookSources)] }),
  };
}
