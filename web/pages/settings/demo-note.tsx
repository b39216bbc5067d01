import { useStart } from '../../api/use-start.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { SETTINGS_TEXT } from '../../content/settings-messages.en.ts';
import { link } from '../../routes.ts';

/** In place of what a demo session does not have. */
export function DemoNote() {
  const start = useStart(SETTINGS_TEXT.demo.signUp, link);
  return (
    <Card>
      <EmptyShelf
        title={SETTINGS_TEXT.demo.title}
        actions={
          <ButtonLink href={start.href} look="primary">
            {start.label}
          </ButtonLink>
        }
      >
        {SETTINGS_TEXT.demo.text}
      </EmptyShelf>
    </Card>
  );
}
