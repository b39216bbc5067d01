import css from './meter.module.css';

interface MeterProps {
  readonly label: string;
  /** 0 to 1; null: going on, nobody knows how far. */
  readonly value: number | null;
  readonly valueText?: string;
}

/** A bar that fills. Widths are SVG attributes: the content security policy allows no inline styles. */
export function Meter({ label, value, valueText }: MeterProps) {
  const filled = value === null ? null : Math.max(0, Math.min(1, value));
  return (
    <div
      className={css.meter}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(filled === null ? {} : { 'aria-valuenow': Math.round(filled * 100) })}
      {...(valueText ? { 'aria-valuetext': valueText } : {})}
    >
      <svg className={css.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="4" className={css.track} />
        <rect
          width={filled === null ? 30 : filled * 100}
          height="4"
          className={filled === null ? css.unknown : css.fill}
        />
      </svg>
    </div>
  );
}
