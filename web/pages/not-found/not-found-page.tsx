import { Link } from 'wouter';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import css from './not-found-page.module.css';

const POPULAR = [
  { href: link.landing(), label: 'Home' },
  { href: link.about(), label: 'About' },
  { href: link.contact(), label: 'Contact' },
  { href: link.login(), label: 'Dashboard Login' },
  { href: link.privacy(), label: 'Privacy Policy' },
  { href: link.terms(), label: 'Terms of Service' },
];

export function NotFoundPage() {
  usePageTitle(TEXT.notFound.title);
  return (
    <div className={css.page}>
      <p className={css.code}>{TEXT.notFound.code}</p>
      <EmptyShelf
        level={1}
        title={TEXT.notFound.title}
        actions={
          <>
            <ButtonLink href={link.landing()} look="primary">
              {TEXT.notFound.home}
            </ButtonLink>
            <ButtonLink href={link.contact({ topic: 'technical' })}>{TEXT.notFound.support}</ButtonLink>
          </>
        }
      >
        {TEXT.notFound.body}
      </EmptyShelf>
      <nav aria-labelledby="popular-pages" className={css.popular}>
        <h2 id="popular-pages">{TEXT.notFound.popular}</h2>
        <ul>
          {POPULAR.map(({ href, label }) => (
            <li key={href}>
              <Link href={href}>{label}</Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
