import { Check } from 'lucide-react';
import { useInstance } from '../../api/instance.ts';
import type { OverviewReply } from '../../api/overview.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { HiddenText } from '../../components/hidden-text.tsx';
import { Level } from '../../components/level.tsx';
import { ReasonedLink } from '../../components/reasoned-button.tsx';
import type { Side } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { LoadDemoData } from './demo-data.tsx';
import css from './setup-card.module.css';
import { type SetupStep, setupSteps } from './setup-steps.ts';

const SIDES: readonly Side[] = ['woocommerce', 'shopify'];

/** A shelf for each platform, drawn faintly until its store is there. The bubble stands askew: until a plan is applied nobody knows whether the two agree. */
function Picture({ steps }: { readonly steps: readonly SetupStep[] }) {
  const isDone = (key: SetupStep['key']): boolean => steps.find((step) => step.key === key)?.isDone ?? false;
  return (
    <div className={css.picture} aria-hidden="true">
      {SIDES.map((side) => (
        <div key={side} className={css.shelf} data-there={isDone(side) || undefined}>
          <SideTile side={side} size="lg" hollow={!isDone(side)} named />
          <div className={css.board} />
          <div className={css.labels}>
            <span />
            <span />
          </div>
        </div>
      ))}
      <div className={css.level}>
        <Level tilt="left" size="lg" label="" />
      </div>
    </div>
  );
}

interface StepProps {
  readonly step: SetupStep;
  readonly number: number;
  readonly isNext: boolean;
}

function Step({ step, number, isNext }: StepProps) {
  const why = useWhyNot('stores');
  return (
    <li className={css.step} data-done={step.isDone || undefined} {...(isNext ? { 'aria-current': 'step' } : {})}>
      <span className={css.mark}>
        {step.isDone ? (
          <>
            <Check aria-hidden="true" />
            <HiddenText>Done:</HiddenText>
          </>
        ) : (
          number
        )}
      </span>
      <div>
        <h3 className={css.name}>{step.title}</h3>
        <p className={css.text}>{step.text}</p>
      </div>
      {step.action && (
        <ReasonedLink
          reason={step.key === 'plan' ? null : why}
          href={step.action.href}
          {...(isNext ? { look: 'primary' } : {})}
        >
          {step.action.label}
        </ReasonedLink>
      )}
    </li>
  );
}

/** The way from an empty workspace to a pair that syncs. It can be left at any step: what is done is read from what is there. */
export function SetupCard({ overview }: { readonly overview: OverviewReply }) {
  const steps = setupSteps(overview);
  const next = steps.find(({ action }) => action !== null);
  const isDemoThere = useInstance()?.isDemoAvailable === true;
  return (
    <section className={css.card} aria-labelledby="setup">
      <div className={css.way}>
        <h2 id="setup" className={css.title}>
          Put two stores on the same shelf
        </h2>
        <p className={css.lead}>
          Nothing but webhooks is written to either store until you have read the plan and applied it.
        </p>
        <ol aria-label="Setup">
          {steps.map((step, index) => (
            <Step key={step.key} step={step} number={index + 1} isNext={step === next} />
          ))}
        </ol>
        {isDemoThere && overview.stores.length === 0 && (
          <div className={css.demo}>
            <p>Or look around first, with sandbox stores that are removed in one click.</p>
            <LoadDemoData />
          </div>
        )}
      </div>
      <Picture steps={steps} />
    </section>
  );
}
