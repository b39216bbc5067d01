import { type FormEvent, useId, useState } from 'react';
import { type Endpoint, type EndpointEvent, useChangeEndpoint, useCreateEndpoint } from '../../../api/endpoints.ts';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextField } from '../../../components/field.tsx';
import { RadioList } from '../../../components/radio-list.tsx';
import { showToast, type Tell } from '../../../components/toast.tsx';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import css from './api-panel.module.css';
import {
  bodyOf,
  changeOf,
  checkEndpoint,
  DESCRIPTION_MAX,
  EMPTY_ENDPOINT,
  type EndpointForm,
  endpointName,
  formOf,
  URL_MAX,
} from './endpoint-words.ts';
import { EventChoice } from './event-choice.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { useShownOnce } from './use-shown-once.ts';

const FIELDS = ['url', 'description', 'events'] as const;
type Field = (typeof FIELDS)[number];

const KINDS = [
  { value: 'events', label: 'A program', text: 'Is told of events as JSON, each signed with a secret.' },
  {
    value: 'chat',
    label: 'A chat',
    text: 'Gets the alerts as text: Slack, Mattermost, Discord (its address with /slack at the end).',
  },
] as const;

interface EndpointFormSheetProps {
  readonly open: boolean;
  /** Null: a new one. */
  readonly endpoint: Endpoint | null;
  /** What can be subscribed to. */
  readonly events: readonly EndpointEvent[];
  readonly onClose: () => void;
  readonly tell?: Tell;
}

export function EndpointFormSheet(props: EndpointFormSheetProps) {
  const id = useId();
  const once = useShownOnce();
  const [isBusy, setBusy] = useState(false);
  const { endpoint, onClose } = props;
  const leave = (): void => {
    once.forget();
    onClose();
  };
  const close = (): void => {
    // The secret of a new endpoint comes with the answer.
    if (!isBusy && once.mayLeave()) leave();
  };
  return (
    <Dialog
      kind="sheet"
      open={props.open}
      onClose={close}
      focusKey={once.shown ? 'secret' : 'form'}
      title={
        once.shown ? `Secret of ${once.shown.name}` : endpoint ? `Edit ${endpointName(endpoint)}` : 'Add an endpoint'
      }
      footer={
        once.shown ? (
          <Button look="primary" onClick={leave}>
            I saved it
          </Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" type="submit" form={id} busy={isBusy}>
              {endpoint ? 'Save the endpoint' : 'Add the endpoint'}
            </Button>
          </>
        )
      }
    >
      {once.shown ? (
        <ShownSecret once={once} label="Signing secret">
          The endpoint is on. Its receiver checks each signature with this secret.
        </ShownSecret>
      ) : (
        <EndpointFields {...props} id={id} onBusy={setBusy} onSecret={once.show} onClose={leave} />
      )}
    </Dialog>
  );
}

interface EndpointFieldsProps extends EndpointFormSheetProps {
  readonly id: string;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onSecret: (name: string, secret: string) => void;
}

function EndpointFields({
  id,
  endpoint: present,
  events,
  onBusy,
  onSecret,
  onClose,
  tell = showToast,
}: EndpointFieldsProps) {
  // As it was when the form was opened: what has moved since is nobody's choice here.
  const [endpoint] = useState(present);
  const create = useCreateEndpoint();
  const change = useChangeEndpoint(endpoint?._id ?? '');
  const { formRef, errors, refuse, forgive } = useRefusals<Field>();
  const [form, setForm] = useState<EndpointForm>(endpoint ? formOf(endpoint) : EMPTY_ENDPOINT);
  const isNew = endpoint === null;
  const isChat = form.kind === 'chat';
  const error = create.error ?? change.error;
  const edit = (changed: Partial<EndpointForm>, field?: Field): void => {
    setForm({ ...form, ...changed });
    if (field) forgive(field);
  };
  const onError = (failure: Error): void => {
    onBusy(false);
    refuse(refusedFields(failure, FIELDS));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (refuse(checkEndpoint(form, { isNew }))) return;
    onBusy(true);
    if (isNew) {
      create.mutate(bodyOf(form), {
        onSuccess: ({ endpoint: made, secret }) => {
          onBusy(false);
          create.reset();
          if (made.kind === 'events') return onSecret(endpointName(made), secret);
          tell('success', `${endpointName(made)} gets the alerts from now on.`);
          onClose();
        },
        onError,
      });
      return;
    }
    change.mutate(changeOf(form, endpoint), {
      onSuccess: ({ endpoint: changed }) => {
        onBusy(false);
        tell('success', `${endpointName(changed)} is saved.`);
        onClose();
      },
      onError,
    });
  };
  return (
    <form ref={formRef} id={id} className={css.stack} noValidate onSubmit={submit}>
      {error && Object.keys(errors).length === 0 && (
        <Banner tone="bad" urgent>
          {wordsOf(error, 'The endpoint could not be saved. Please try again.')}
        </Banner>
      )}
      {isNew && (
        <RadioList label="Who is told" value={form.kind} options={KINDS} onChange={(kind) => edit({ kind }, 'url')} />
      )}
      <TextField
        label={isNew || !isChat ? 'Address' : 'New address'}
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={URL_MAX}
        optional={!isNew && isChat}
        placeholder={isChat ? 'https://hooks.slack.com/services/…' : 'https://example.com/hooks'}
        hint={
          isChat
            ? `Stored encrypted; only its host is shown${isNew ? '' : '. Leave it empty to keep the present one'}.`
            : 'Answers with 2xx within 15 seconds.'
        }
        value={form.url}
        error={errors.url}
        onChange={(event) => edit({ url: event.target.value }, 'url')}
      />
      <TextField
        label="Name"
        name="description"
        optional
        autoComplete="off"
        maxLength={DESCRIPTION_MAX}
        placeholder={isChat ? '#shop-alerts' : 'Warehouse'}
        hint="How it is called here."
        value={form.description}
        error={errors.description}
        onChange={(event) => edit({ description: event.target.value }, 'description')}
      />
      {!isChat && (
        <EventChoice
          all={events}
          isEverything={form.isEverything}
          chosen={form.events}
          error={errors.events}
          onChange={(choice) => edit(choice, 'events')}
        />
      )}
    </form>
  );
}
