import { ArrowUp } from 'lucide-react';
import { IconButton } from '../../components/button.tsx';
import { scrollToTop, useScrolledPast } from '../../hooks/use-scroll.ts';
import css from './back-to-top.module.css';

const SHOWN_PAST_PX = 600;

/** There once the top is out of sight. */
export function BackToTop() {
  const isFar = useScrolledPast(SHOWN_PAST_PX);
  if (!isFar) return null;
  return (
    <div className={css.place}>
      <IconButton
        label="Back to top"
        look="default"
        icon={<ArrowUp aria-hidden="true" />}
        onClick={() => {
          history.replaceState(history.state, '', location.pathname);
          scrollToTop();
        }}
      />
    </div>
  );
}
