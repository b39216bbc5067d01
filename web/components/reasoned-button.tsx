import { type ComponentProps, type MouseEvent, useId } from 'react';
import { Button, ButtonLink, IconButton } from './button.tsx';
import { HiddenText } from './hidden-text.tsx';
import { showToast } from './toast.tsx';

interface Reasoned {
  /** Why it can not be pressed, and who can help; null: it can. */
  readonly reason: string | null;
}

/** In the order of the keys and pressable, so that whoever comes to it learns why; but what it is for is not done, nor its form sent. */
function useExcuse(reason: string) {
  const id = useId();
  return {
    props: {
      'aria-disabled': true,
      'aria-describedby': id,
      title: reason,
      disabled: false,
      onClick: (event: MouseEvent): void => {
        event.preventDefault();
        showToast('warning', reason);
      },
    },
    text: <HiddenText id={id}>{reason}</HiddenText>,
  } as const;
}

/** A button that says why it does nothing: on hover, to screen readers, and where it is pressed all the same. */
export function ReasonedButton({ reason, ...button }: ComponentProps<typeof Button> & Reasoned) {
  return reason === null ? <Button {...button} /> : <Excused {...button} reason={reason} />;
}

function Excused({ reason, busy: _, ...button }: ComponentProps<typeof Button> & { readonly reason: string }) {
  const { props, text } = useExcuse(reason);
  return (
    <>
      <Button {...button} {...props} />
      {text}
    </>
  );
}

/** The same of a button that is only a picture. */
export function ReasonedIconButton({ reason, ...button }: ComponentProps<typeof IconButton> & Reasoned) {
  return reason === null ? <IconButton {...button} /> : <ExcusedIcon {...button} reason={reason} />;
}

function ExcusedIcon({ reason, ...button }: ComponentProps<typeof IconButton> & { readonly reason: string }) {
  const { props, text } = useExcuse(reason);
  return (
    <>
      <IconButton {...button} {...props} />
      {text}
    </>
  );
}

/** The same of the way to a form: who may not send it is not led there. */
export function ReasonedLink({ reason, href, ...link }: ComponentProps<typeof ButtonLink> & Reasoned) {
  return reason === null ? <ButtonLink href={href} {...link} /> : <Excused {...link} reason={reason} />;
}
