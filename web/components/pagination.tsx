import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from './button.tsx';
import css from './pagination.module.css';

const BUTTONS_MAX = 5;

interface PaginationProps {
  readonly page: number;
  readonly pageCount: number;
  readonly onPage: (page: number) => void;
}

/** Up to five page buttons around the current one. */
export function Pagination({ page, pageCount, onPage }: PaginationProps) {
  if (pageCount <= 1) return null;
  // At an end the button keeps the focus of who pressed it: a disabled one loses it.
  const step = (to: number) => (to < 1 || to > pageCount ? { 'aria-disabled': true } : { onClick: () => onPage(to) });
  const first = Math.max(1, Math.min(page - 2, pageCount - BUTTONS_MAX + 1));
  const pages = Array.from({ length: Math.min(BUTTONS_MAX, pageCount) }, (_, index) => first + index);
  return (
    <nav aria-label="Pages" className={css.pages}>
      <IconButton size="sm" label="Previous page" icon={<ChevronLeft aria-hidden="true" />} {...step(page - 1)} />
      {pages.map((number) => (
        <button
          key={number}
          type="button"
          className={css.page}
          aria-label={`Page ${number}`}
          aria-current={number === page ? 'page' : undefined}
          onClick={() => onPage(number)}
        >
          {number}
        </button>
      ))}
      <IconButton size="sm" label="Next page" icon={<ChevronRight aria-hidden="true" />} {...step(page + 1)} />
    </nav>
  );
}
