import { Link } from 'wouter';
import { LongText, type TextPart } from '../../components/long-text.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { SiteHead } from '../../components/site-head.tsx';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import css from './security-page.module.css';

const CONTROLS = [
  [
    'Encryption at rest',
    'Store credentials are sealed with AES-256-GCM. The key is kept outside the database.',
    'This instance',
  ],
  [
    'Encryption in transit',
    'Stores are reached by https only, TLS 1.2 at least and 1.3 where they offer it. HSTS under an https address.',
    'This instance, its proxy',
  ],
  [
    'Webhooks',
    'HMAC-SHA256 over the raw bytes, compared in constant time, before anything is parsed. A store can be limited to addresses that you list.',
    'This instance',
  ],
  [
    'Access control',
    'Roles in each workspace: owner, admin, member, viewer. Every route names the least role that may call it.',
    'This instance',
  ],
  [
    'Sessions',
    'Access for 15 minutes, refresh tokens that rotate; one that is used twice ends its family.',
    'This instance',
  ],
  ['Passwords', 'scrypt, with a salt of their own. Guessing is slowed down by account and source.', 'This instance'],
  ['Outgoing addresses', 'Private, loopback and metadata addresses are refused after resolution.', 'This instance'],
  [
    'Backups',
    'Copied before every upgrade, and each night unless the operator does without. Sealed credentials stay sealed in them.',
    'This instance',
  ],
] as const;

const PARTS: readonly TextPart[] = [
  {
    id: 'encryption',
    title: 'Encryption',
    body: (
      <p>
        Credentials of stores are encrypted with AES-256-GCM before they reach the database, and a sealed value opens
        only in the place that it was sealed for. Whoever has a backup without the key has no credentials. They are
        never sent back to a browser.
      </p>
    ),
  },
  {
    id: 'access-control',
    title: 'Access control',
    body: (
      <>
        <p>
          Who may call what stands in one table that a test walks, route by route and role by role. A route that is not
          in it does not start. Workspaces see nothing of each other.
        </p>
        <p>Sessions live on the server, so that they can be ended there.</p>
      </>
    ),
  },
  {
    id: 'infrastructure',
    title: 'Infrastructure',
    body: (
      <p>
        One process and one file, on a machine that the operator chooses. There is no telemetry: the server talks to the
        connected stores, and to the mail server, webhooks, chats and sign-in provider that you tell it of. Scripts,
        styles and fonts of these pages come from this server under a strict content security policy.
      </p>
    ),
  },
  {
    id: 'compliance',
    title: 'Compliance',
    body: (
      <p>
        The program has no certificate, and we claim none. Data protection is the operator’s duty, and the program
        helps: little is kept, and it is listed in the <Link href={link.privacy()}>privacy policy</Link>.
      </p>
    ),
  },
  {
    id: 'best-practices',
    title: 'Best practices',
    body: (
      <ul>
        <li>Put a TLS proxy in front when the server is reachable from outside.</li>
        <li>Keep the encryption key in another place than the backups.</li>
        <li>Give the stores’ keys no more permissions than the connect page asks for.</li>
        <li>Use a password that you use nowhere else.</li>
      </ul>
    ),
  },
  {
    id: 'incident-response',
    title: 'Incident response',
    body: (
      <p>
        A confirmed weakness is repaired on the main branch first and named in the changelog under “Safety”, with what
        it allowed, since when, and what to do. Operators rotate their stores’ keys in the platforms; old keys end at
        once.
      </p>
    ),
  },
  {
    id: 'security-contact',
    title: 'Security contact',
    body: (
      <p>
        Report weaknesses of the program privately through the repository’s security advisories. For anything about this
        instance, <Link href={link.contact({ topic: 'technical' })}>write to the people who run it</Link>.
      </p>
    ),
  },
];

export function SecurityPage() {
  usePageTitle('Security');
  return (
    <>
      <SiteHead
        title="Security, control by control."
        lead="You give this program the keys of your shops. This is what it does with them, and what is left to whoever runs it."
      />
      <div className={css.table}>
        <PlainTable caption="Controls" columns={['Control', 'What we do', 'Where']} rows={CONTROLS} />
      </div>
      <LongText parts={PARTS} />
    </>
  );
}
