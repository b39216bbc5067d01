import { qrModules } from './qr-code.ts';
import css from './qr-picture.module.css';

/** Light modules around the picture: without them readers do not find it. */
const MARGIN = 4;

interface QrPictureProps {
  readonly text: string;
  readonly label: string;
}

/** Dark on white in both themes: many readers know nothing else. */
export function QrPicture({ text, label }: QrPictureProps) {
  const rows = qrModules(text);
  if (rows === null) return null;
  const size = rows.length + 2 * MARGIN;
  const path = rows
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className={css.picture}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
