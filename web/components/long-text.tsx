import type { ReactNode } from 'react';
import css from './long-text.module.css';

export interface TextPart {
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

interface LongTextProps {
  readonly parts: readonly TextPart[];
  /** As people write a date: "21 November 2026". */
  readonly updated?: string;
}

/** A text to read: one column of 68 characters, its contents beside it. Prints without them. */
export function LongText({ parts, updated }: LongTextProps) {
  return (
    <div className={css.page}>
      <nav aria-label="On this page" className={css.contents}>
        <p className={css.contentsTitle}>On this page</p>
        <ol>
          {parts.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className={css.text}>
        {updated && <p className={css.updated}>Last updated {updated}</p>}
        {parts.map(({ id, title, body }) => (
          <section key={id} id={id} className={css.part} tabIndex={-1} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            {body}
          </section>
        ))}
      </div>
    </div>
  );
}
