import { type ComponentProps, useId } from 'react';
import { Button } from './button.tsx';
import { HiddenText } from './hidden-text.tsx';
import { showToast } from './toast.tsx';

interface ReasonedButtonProps extends ComponentProps<typeof Button> {
  /** Why it can not be pressed, and who can help; null: it can. */
  readonly reason: string | null;
}

/** A button that says why it does nothing: on hover, to screen readers, and where it is pressed all the same. */
export function ReasonedButton({ reason, ...button }: ReasonedButtonProps) {
  const id = useId();
  if (reason === null) return <Button {...button} />;
  return (
    <>
      <Button
        {...button}
        aria-disabled
        aria-describedby={id}
        title={reason}
        onClick={() => showToast('warning', reason)}
      />
      <HiddenText id={id}>{reason}</HiddenText>
    </>
  );
}
