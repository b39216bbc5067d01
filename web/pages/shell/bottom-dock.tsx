import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { Count } from '../../components/count.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { plural } from '../../hooks/format.ts';
import css from './bottom-dock.module.css';
import { DESTINATION, dockOf, isThere, railOf } from './navigation.ts';

interface BottomDockProps {
  readonly isDemo: boolean;
  readonly conflicts: number;
}

export function BottomDock({ isDemo, conflicts }: BottomDockProps) {
  const [path] = useLocation();
  const search = useSearch();
  const [isOpen, setOpen] = useState(false);
  const dock = dockOf(isDemo);
  const rest = railOf(isDemo).filter((place) => !dock.includes(place));
  const isInRest = rest.some((place) => isThere(place, path, search));
  const count = (label: string) =>
    label === DESTINATION.conflicts.label && conflicts > 0 ? (
      <Count label={`${plural(conflicts, 'conflict')} to resolve`}>{conflicts}</Count>
    ) : null;
  return (
    <nav aria-label="Main, short" className={css.dock}>
      {dock.map((place) => (
        <Link
          key={place.label}
          href={place.href}
          className={css.link}
          {...(isThere(place, path, search) ? { 'aria-current': 'page' as const } : {})}
        >
          <place.icon aria-hidden="true" />
          <span>{place.short}</span>
          {count(place.label)}
        </Link>
      ))}
      <button
        type="button"
        className={css.link}
        aria-haspopup="dialog"
        aria-current={isInRest ? 'true' : undefined}
        onClick={() => setOpen(true)}
      >
        <Ellipsis aria-hidden="true" />
        <span>More</span>
        {rest.map(({ label }) => count(label))}
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="More">
        <ul className={css.more}>
          {rest.map((place) => (
            <li key={place.label}>
              <Link href={place.href} className={css.moreLink} onClick={() => setOpen(false)}>
                <place.icon aria-hidden="true" />
                <span>{place.label}</span>
                {count(place.label)}
              </Link>
            </li>
          ))}
        </ul>
      </Dialog>
    </nav>
  );
}
