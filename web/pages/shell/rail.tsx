import { Link, useLocation, useSearch } from 'wouter';
import { Count } from '../../components/count.tsx';
import { plural } from '../../hooks/format.ts';
import { DESTINATION, isThere, railOf } from './navigation.ts';
import css from './rail.module.css';

interface RailProps {
  readonly isDemo: boolean;
  readonly conflicts: number;
}

export function Rail({ isDemo, conflicts }: RailProps) {
  const [path] = useLocation();
  const search = useSearch();
  return (
    <nav aria-label="Main" className={css.rail}>
      <ul className={css.list}>
        {railOf(isDemo).map((place) => (
          <li key={place.label}>
            <Link
              href={place.href}
              className={css.link}
              {...(isThere(place, path, search) ? { 'aria-current': 'page' as const } : {})}
            >
              <place.icon aria-hidden="true" />
              <span>{place.label}</span>
              {place.label === DESTINATION.conflicts.label && conflicts > 0 && (
                <Count label={`${plural(conflicts, 'conflict')} to resolve`}>{conflicts}</Count>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
