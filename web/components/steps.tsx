import css from './steps.module.css';

interface StepsProps {
  readonly names: readonly string[];
  readonly current: number;
}

/** Where one is on a short way. */
export function Steps({ names, current }: StepsProps) {
  return (
    <ol className={css.steps} aria-label="Steps">
      {names.map((name, index) => (
        <li
          key={name}
          className={css.step}
          data-reached={index <= current || undefined}
          {...(index === current ? { 'aria-current': 'step' as const } : {})}
        >
          <span className={css.number}>{index + 1}</span> {name}
        </li>
      ))}
    </ol>
  );
}
