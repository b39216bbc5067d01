import css from './fact-strip.module.css';

interface FactStripProps {
  readonly facts: readonly { readonly value: string; readonly label: string }[];
}

/** Figures under a shelf board. */
export function FactStrip({ facts }: FactStripProps) {
  return (
    <dl className={css.facts}>
      {facts.map(({ value, label }) => (
        <div key={label} className={css.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
