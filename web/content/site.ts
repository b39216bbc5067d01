/**
 * What an operator of a public site fills in. Whatever is null is not shown: no address that nobody reads, no link that leads
 * nowhere. Letters without an address go through the contact form instead, with the same subject.
 */
export interface Site {
  readonly salesEmail: string | null;
  readonly enterpriseEmail: string | null;
  readonly docsUrl: string | null;
  readonly communityUrl: string | null;
  /** The vendor's cloud takes customers. While it does not, its prices are announced and nothing can be bought. */
  readonly isCloudOpen: boolean;
  /** Self-hosted licences (support, not features) are on sale. */
  readonly isLicenceOnSale: boolean;
  /** By topic, within which time letters are answered, as `TEXT.contact.responseTimes`. */
  readonly responseTimes: readonly (readonly [topic: string, time: string])[] | null;
  /** Paths under which the server really has the files. */
  readonly downloads: { readonly plugin: string | null; readonly enterprise: string | null };
}

export const SITE: Site = {
  salesEmail: null,
  enterpriseEmail: null,
  docsUrl: null,
  communityUrl: null,
  isCloudOpen: false,
  isLicenceOnSale: false,
  responseTimes: null,
  downloads: { plugin: null, enterprise: null },
};

/** Subjects of letters, word for word: mailboxes sort by them. */
const LETTER = {
  enterpriseDemo: { subject: 'Enterprise Demo Request', topic: 'enterprise' },
  enterpriseLicence: { subject: 'Enterprise License Purchase', topic: 'enterprise' },
  sales: { subject: 'Sales', topic: 'billing' },
} as const;
export type Letter = keyof typeof LETTER;

/** Where a letter goes: to the mailbox when there is one, else to the contact form at `contactHref`. */
export function letterHref(
  letter: Letter,
  contactHref: (query: { topic: string; about: string }) => string,
  site: Pick<Site, 'salesEmail' | 'enterpriseEmail'> = SITE,
): string {
  const { subject, topic } = LETTER[letter];
  const mailbox = letter === 'sales' ? site.salesEmail : site.enterpriseEmail;
  return mailbox === null
    ? contactHref({ topic, about: subject })
    : `mailto:${mailbox}?subject=${encodeURIComponent(subject)}`;
}
