import { Plus } from 'lucide-react';
import css from './faq-list.module.css';

interface FaqListProps {
  readonly questions: readonly { readonly question: string; readonly answer: string }[];
}

/** Questions that open; the first one is open. */
export function FaqList({ questions }: FaqListProps) {
  return (
    <div className={css.list}>
      {questions.map(({ question, answer }, index) => (
        <details key={question} className={css.item} open={index === 0}>
          <summary className={css.question}>
            {question}
            <Plus aria-hidden="true" />
          </summary>
          <p className={css.answer}>{answer}</p>
        </details>
      ))}
    </div>
  );
}
