import { Link2 } from 'lucide-react';
import { wordsOf } from '../../../api/error-words.ts';
import { useInvitationLink } from '../../../api/team.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { CopyField } from '../../../components/copy-field.tsx';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import css from './members-card.module.css';

/** The link of an invitation that could not be mailed, for whoever runs the instance. Fetched when it is wanted, and kept nowhere. */
export function InvitationLink({ email }: { readonly email: string }) {
  const proof = useProof();
  const find = useInvitationLink(proof.withProof);
  const link = find.data;
  return (
    <div className={css.stack}>
      {find.error && !isDeclined(find.error) && (
        <Banner tone="bad" urgent>
          {wordsOf(find.error, 'The link could not be read. Please try again.')}
        </Banner>
      )}
      {link === null && <Banner tone="warn">This link is no longer in the outbox. Send the invitation again.</Banner>}
      {typeof link === 'string' ? (
        <CopyField
          label={`Link for ${email}`}
          value={link}
          hint="Whoever has it can join with this address. It is good for one use."
        />
      ) : (
        <div>
          <Button icon={<Link2 aria-hidden="true" />} busy={find.isPending} onClick={() => find.mutate(email)}>
            Show the link
          </Button>
        </div>
      )}
      {proof.dialog}
    </div>
  );
}
