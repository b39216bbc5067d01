import { Link } from 'wouter';
import { formatDateTime, plural } from '../hooks/format.ts';
import css from './heartbeat.module.css';

interface Bar {
  readonly runId: string;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly records: number;
  readonly failed: number;
  readonly at: string;
}

const BARS_MAX = 40;
const HEIGHT = 24;
const STEP = 8;
const BAR_WIDTH = 5;
const BAR_HEIGHT_MIN = 4;
const REST_HEIGHT = 2;

/** The last 40 runs, oldest left, before them a line at rest. A bar's height is its number of records; only trouble has a colour and a hat. */
export function Heartbeat({ bars, href }: { readonly bars: readonly Bar[]; readonly href: string }) {
  const shown = bars.slice(-BARS_MAX);
  if (shown.length === 0) return <div className={css.none} aria-hidden="true" />;
  const most = Math.max(1, ...shown.map(({ records }) => records));
  const failed = shown.filter((bar) => bar.failed > 0 || bar.status === 'failed').length;
  const label = `${plural(shown.length, 'run')}, ${failed === 0 ? 'none failed' : `${failed} with failures`}. See the runs.`;
  return (
    <Link href={href} className={css.link} aria-label={label}>
      <svg
        className={css.beat}
        viewBox={`0 0 ${BARS_MAX * STEP} ${HEIGHT}`}
        preserveAspectRatio="xMaxYMax meet"
        aria-hidden="true"
      >
        <line
          className={css.rest}
          x2={(BARS_MAX - shown.length) * STEP}
          y1={HEIGHT - REST_HEIGHT / 2}
          y2={HEIGHT - REST_HEIGHT / 2}
          strokeWidth={REST_HEIGHT}
          strokeDasharray={`${BAR_WIDTH} ${STEP - BAR_WIDTH}`}
        />
        {shown.map((bar, index) => {
          const height = BAR_HEIGHT_MIN + (HEIGHT - BAR_HEIGHT_MIN - 4) * Math.sqrt(bar.records / most);
          const x = (BARS_MAX - shown.length + index) * STEP;
          const isBad = bar.status === 'failed' || bar.failed > 0;
          return (
            <g key={bar.runId} className={bar.status === 'failed' ? css.bad : isBad ? css.warn : css.plain}>
              <title>{`${formatDateTime(bar.at)}: ${plural(bar.records, 'record')}, ${bar.failed} failed`}</title>
              <rect x={x} y={HEIGHT - height} width={BAR_WIDTH} height={height} rx="1" />
              {isBad && <path d={`M${x} ${HEIGHT - height - 1.5}l2.5-3.5 2.5 3.5z`} />}
            </g>
          );
        })}
      </svg>
    </Link>
  );
}
