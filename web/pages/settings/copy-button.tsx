import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { HiddenText } from '../../components/hidden-text.tsx';

const SHOWN_MS = 3_000;

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly size?: 'sm' | 'md';
}

/** Puts a text on the clipboard and says whether that worked: without https browsers only let older ways do it. */
export function CopyButton({ text, label, size = 'md' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const words = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Could not copy' : label;
  return (
    <>
      <Button
        size={size}
        icon={outcome === 'copied' ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        onClick={(event) => {
          const button = event.currentTarget;
          void copy(text, button).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed'));
        }}
      >
        {words}
      </Button>
      <span role="status">
        <HiddenText>{outcome === null ? '' : words}</HiddenText>
      </span>
    </>
  );
}

async function copy(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, button);
  }
}

/** Beside the button, not at the end of the page: while a dialog is open nothing outside of it can be selected. */
function copyBySelection(text: string, button: HTMLElement): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  button.after(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  button.focus();
  return isCopied;
}
