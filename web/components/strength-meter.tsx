import { Check, Minus } from 'lucide-react';
import { TEXT } from '../content/messages.en.ts';
import { strengthOf, strengthParts } from '../hooks/password-strength.ts';
import { classNames } from './class-names.ts';
import { HiddenText } from './hidden-text.tsx';
import css from './strength-meter.module.css';

/** How strong a password is, and which of the five parts it still lacks. */
export function StrengthMeter({ password }: { readonly password: string }) {
  const score = strengthOf(password);
  const tone = score >= 4 ? css.good : score === 3 ? css.fair : css.weak;
  return (
    <div className={css.meter}>
      <div className={classNames(css.bars, tone)} aria-hidden="true">
        {[1, 2, 3, 4, 5].map((step) => (
          <span key={step} className={css.bar} data-on={step <= score || undefined} />
        ))}
      </div>
      <p className={css.word} aria-live="polite">
        {password === '' ? 'Password strength' : `Password strength: ${TEXT.signup.strength[score] ?? ''}`}
      </p>
      <ul className={css.parts}>
        {strengthParts(password).map(({ name, isMet }) => (
          <li key={name} data-met={isMet || undefined}>
            {isMet ? <Check aria-hidden="true" /> : <Minus aria-hidden="true" />}
            {name}
            <HiddenText>{isMet ? 'is there' : 'is missing'}</HiddenText>
          </li>
        ))}
      </ul>
    </div>
  );
}
