import { Link } from 'wouter';
import { LongText, type TextPart } from '../../components/long-text.tsx';
import { SiteHead } from '../../components/site-head.tsx';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';

const PARTS: readonly TextPart[] = [
  {
    id: 'who',
    title: 'Who is responsible',
    body: (
      <p>
        Whoever runs this instance. The makers of the program have no access to it and receive nothing from it: there is
        no telemetry. <Link href={link.contact()}>Write to the operator</Link> about anything on this page.
      </p>
    ),
  },
  {
    id: 'what',
    title: 'What is stored',
    body: (
      <ul>
        <li>
          About you: name, email, company if you gave it, a hash of your password, and your sessions with address and
          browser.
        </li>
        <li>About your stores: their addresses and credentials, the latter sealed.</li>
        <li>About your records: what is synchronised, what both stores last agreed on, and a history of changes.</li>
        <li>
          Who did what in a workspace, when, from which address and with which browser: the audit log. The last two go
          with your account.
        </li>
        <li>What you write in the contact form, and what is mailed to you.</li>
        <li>Whether you agreed to product news, when and where. You can withdraw it.</li>
      </ul>
    ),
  },
  {
    id: 'why',
    title: 'What it is used for',
    body: (
      <p>
        To sign you in, to keep your stores the same, and to answer you. Nothing is sold, and nothing is used for
        advertising.
      </p>
    ),
  },
  {
    id: 'browser',
    title: 'In your browser',
    body: (
      <>
        <p>
          In the browser’s storage: an access token, who you are, and whether you prefer light or dark and single-key
          shortcuts; where the server did not hear that you signed out, that it has to be told again. As long as a tab
          is open: what you have begun to write to the operator, an invitation that you are about to accept, and when
          you left to sign in through another provider.
        </p>
        <p>
          One cookie keeps you signed in. Where you sign in through another provider, or connect one, there are two
          more, for ten minutes each: one finds the way back, and with two-factor sign-in the other remembers who has
          come back until the code is given. Scripts cannot read them. No cookies of others, nothing that follows you,
          and so no banner.
        </p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'Who else sees it',
    body: (
      <>
        <p>
          The two stores that you connect, with what you synchronise. Members of your workspace, by their role. The
          operator of this instance and of its machine.
        </p>
        <p>
          Where they are set up, also these: the mail server, with your address and what is mailed to you; a sign-in
          provider, with the fact that you sign in here; the chats and addresses that a workspace sends alerts and
          webhooks to, with what happened in it. Nobody else.
        </p>
      </>
    ),
  },
  {
    id: 'how-long',
    title: 'For how long',
    body: (
      <p>
        As long as your account exists. What you wrote in the contact form from its confirmed address goes with it, and
        after 400 days in any case. Demo workspaces are thrown away 30 minutes after they were last used. Backups of the
        operator may keep a copy for as long as the operator decides.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <p>
        You may ask what is stored about you, have it corrected, handed over or deleted.{' '}
        <Link href={link.contact()}>Ask the operator</Link>.
      </p>
    ),
  },
];

export function PrivacyPage() {
  usePageTitle('Privacy Policy');
  return (
    <>
      <SiteHead title="Privacy Policy" lead="What this program stores about people, in plain words." />
      <LongText parts={PARTS} updated="28 November 2026" />
    </>
  );
}
