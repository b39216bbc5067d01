import { useId } from 'react';
import type { EndpointEvent } from '../../../api/endpoints.ts';
import { CheckField } from '../../../components/field.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { type EndpointForm, EVENT_TEXT, groupEvents } from './endpoint-words.ts';
import css from './event-choice.module.css';

interface EventChoiceProps {
  readonly all: readonly EndpointEvent[];
  readonly isEverything: boolean;
  readonly chosen: readonly EndpointEvent[];
  readonly error: string | undefined;
  readonly onChange: (choice: Pick<EndpointForm, 'isEverything' | 'events'>) => void;
}

/** Everything, or some kinds of event, in groups by what they are about. What was chosen is kept while everything is on. */
export function EventChoice({ all, isEverything, chosen, error, onChange }: EventChoiceProps) {
  const id = useId();
  const toggle = (event: EndpointEvent, isOn: boolean): void =>
    onChange({
      isEverything,
      events: all.filter((one) => (one === event ? isOn : chosen.includes(one))),
    });
  return (
    <div className={css.choice}>
      <p className={css.label}>What it is told of</p>
      <Segmented
        label="What it is told of"
        value={isEverything ? 'all' : 'some'}
        options={[
          { value: 'all', label: 'Everything' },
          { value: 'some', label: 'Some kinds of event' },
        ]}
        onChange={(value) => onChange({ isEverything: value === 'all', events: chosen })}
      />
      {error && (
        <p id={id} className={css.error}>
          {error}
        </p>
      )}
      {!isEverything &&
        groupEvents(all).map(({ label, events }, at) => (
          <fieldset key={label} className={css.group}>
            <legend className={css.legend}>{label}</legend>
            {events.map((event, index) => (
              <CheckField
                key={event}
                label={
                  <>
                    <code className={css.name}>{event}</code> <span className={css.text}>{EVENT_TEXT[event]}</span>
                  </>
                }
                checked={chosen.includes(event)}
                {...(error && at === 0 && index === 0 ? { 'aria-invalid': true as const, 'aria-describedby': id } : {})}
                onChange={({ target }) => toggle(event, target.checked)}
              />
            ))}
          </fieldset>
        ))}
    </div>
  );
}
