/** Words of the sheet in which a store is renamed and its webhooks are looked after. */
export const STORE_SETTINGS = {
  open: 'Settings',
  title: (name: string) => `Settings of ${name}`,
  submit: 'Save settings',
  failed: 'Failed to save the settings. Please try again.',
  done: (name: string) => `${name}: the settings are saved.`,
  nameHint: 'What the store is called here. In the store itself nothing changes.',
  nameMissing: 'Give the store a name.',
  sources: 'Webhook sources',
  sourcesHint:
    'One address or range a line, like 203.0.113.7 or 203.0.113.0/24. Only from there are webhooks of this store let in; they have to be signed as well. Empty: from everywhere, as long as they are signed.',
  sourcesRisk:
    "A list that lacks the store's own address keeps its webhooks out, and nothing tells of it. Polling carries on: what changes in the store then arrives minutes later.",
  shopifySources: 'Shopify calls from addresses that change and are published nowhere. For it, leave the list empty.',
  noAddress: (text: string) => `"${text}" is no address. Write addresses like 203.0.113.7 or 203.0.113.0/24.`,
  tooManySources: (most: number) => `The list can have at most ${most} entries. Join neighbours to a range.`,
  secret: 'Webhook secret',
  secretLead: 'The store signs its webhooks with it. Make a new one where somebody else may have seen it.',
  secretOfShopify:
    "Shopify signs webhooks with your app's own secret. Make a new one in the app's settings there, then enter it here: New keys.",
  rotate: 'New webhook secret',
  rotateQuestion:
    "The store's webhooks get a new secret as soon as the store answers. For a day both secrets are good, so nothing that is under way is lost; the next one can be made after that.",
  rotateNow: 'Make a new secret',
  rotateFailed: 'The secret could not be changed. Please try again.',
  rotated: (name: string) => `${name} has a new webhook secret. The old one is good for one more day.`,
} as const;
