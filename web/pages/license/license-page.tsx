import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { LongText, type TextPart } from '../../components/long-text.tsx';
import { SiteHead } from '../../components/site-head.tsx';
import { BRAND } from '../../content/brand.ts';
import { MIT_LICENSE } from '../../content/mit-license.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';

const AFTER: readonly TextPart[] = [
  {
    id: 'obligations',
    title: 'What it asks of you',
    body: (
      <ul>
        <li>Keep the copyright line and the licence text in every copy, or in any large part of it.</li>
        <li>Expect no warranty: it is used at your own risk.</li>
      </ul>
    ),
  },
  {
    id: 'commercial-use',
    title: 'Commercial use',
    body: (
      <p>
        Allowed, without asking and without paying: run it for your stores, for your customers’ stores, change it, sell
        what you changed. Paid licences buy <Link href={link.pricing({ tab: 'self-hosted' })}>support</Link>, not
        permission.
      </p>
    ),
  },
  {
    id: 'license-faq',
    title: 'Questions',
    body: (
      <>
        <p>
          <strong>May I remove the name from the pages?</strong> Yes. The licence text has to stay with the program, not
          on the screen.
        </p>
        <p>
          <strong>May I host it for others?</strong> Yes, for money too.
        </p>
        <p>
          <strong>Do I have to publish my changes?</strong> No.
        </p>
        <p>
          <strong>What about the packages it uses?</strong> Each has its own licence, named in the package; all of them
          allow commercial use.
        </p>
      </>
    ),
  },
];

export function LicensePage() {
  usePageTitle('License');
  return (
    <>
      <SiteHead
        title="MIT License"
        lead={`${BRAND.name} is free software. The text is the repository’s, with the current year.`}
      />
      <LongText parts={[{ id: 'text', title: 'The text', body: <LicenseText /> }, ...AFTER]} />
    </>
  );
}

/** Drawn as it stands in the repository, then with the year of the reader. */
function LicenseText() {
  const [text, setText] = useState(MIT_LICENSE);
  useEffect(() => setText(MIT_LICENSE.replace(/\d{4}/, String(new Date().getFullYear()))), []);
  return <pre>{text}</pre>;
}
