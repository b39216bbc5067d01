import { FaqList } from '../../components/faq-list.tsx';
import { SitePart } from '../../components/site-part.tsx';
import { FAQ } from '../../content/faq.ts';
import css from './questions.module.css';

export function Questions() {
  return (
    <div className={css.faq}>
      <SitePart id="faq" title="Questions">
        <FaqList questions={FAQ} />
      </SitePart>
    </div>
  );
}
