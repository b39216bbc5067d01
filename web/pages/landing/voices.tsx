import type { ReactNode } from 'react';
import { type ArtName, ProductArt } from '../../components/product-art.tsx';
import { SitePart } from '../../components/site-part.tsx';
import { TESTIMONIALS } from '../../content/claims.ts';
import { link } from '../../routes.ts';
import css from './voices.module.css';

const ART: readonly ArtName[] = ['bowl', 'bottle', 'textile'];

/** Its links load their pages anew: this part is drawn at build time and stays as it is. What customers say; while nobody may be quoted, what anyone can check instead. */
export function Voices() {
  if (TESTIMONIALS.length === 0) {
    return (
      <SitePart
        id="testimonials"
        title="No quotes yet. Check for yourself."
        lead="Customers are quoted here once some have agreed to it. Until then, three things that you can look at."
      >
        <ul className={css.voices}>
          <Voice art="bowl">
            <p className={css.quote}>
              Sell on one shelf, watch the other: in the demo, with the engine that real stores use.
            </p>
            <p className={css.who} data-needs="demo">
              <a href={link.demo()}>See both shelves</a>
            </p>
          </Voice>
          <Voice art="bottle">
            <p className={css.quote}>What is kept, how it is kept, and what is left to you, control by control.</p>
            <p className={css.who}>
              <a href={link.security()}>Read the security page</a>
            </p>
          </Voice>
          <Voice art="textile">
            <p className={css.quote}>
              The whole source, MIT: each rule of the sync has a number, and a test that carries it.
            </p>
            <p className={css.who}>
              <a href={link.license()}>Read the licence</a>
            </p>
          </Voice>
        </ul>
      </SitePart>
    );
  }
  return (
    <SitePart id="testimonials" title="What people say">
      <ul className={css.voices}>
        {TESTIMONIALS.map(({ quote, name, role }, index) => (
          <Voice key={name} art={ART[index % ART.length] ?? 'bowl'}>
            <blockquote className={css.quote}>{quote}</blockquote>
            <p className={css.who}>
              {name}, {role}
            </p>
          </Voice>
        ))}
      </ul>
    </SitePart>
  );
}

function Voice({ art, children }: { readonly art: ArtName; readonly children: ReactNode }) {
  return (
    <li>
      <div className={css.stand}>
        <ProductArt art={art} />
      </div>
      {children}
    </li>
  );
}
