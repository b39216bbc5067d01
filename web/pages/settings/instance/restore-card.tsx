import { useId } from 'react';
import { Card, CardHead } from '../../../components/card.tsx';
import { CopyField } from '../../../components/copy-field.tsx';
import css from './instance.module.css';

/** What a person needs to know before the day on which they need it. */
export function RestoreCard({ example }: { /** The path of a backup. */ readonly example: string }) {
  const id = useId();
  return (
    <Card labelledBy={id}>
      <CardHead id={id} level={3} title="How to put one back" />
      <div className={css.words}>
        <p>
          Stop the server, also one that still runs on the data of this one elsewhere: two servers on the same stores
          take each other’s writes for sales. Then:
        </p>
        <CopyField
          label="Command"
          value={`node dist/server.mjs restore ${example}`}
          hint="In the directory of the program, with the settings that the server has."
        />
        <p>
          In a container: <code className={css.example}>docker stop NAME</code>, then
        </p>
        <CopyField
          label="Command for a container"
          value={`docker run --rm -v twinshelf:/data twinshelf twinshelf restore ${example}`}
          hint="Volume and image by your names, with the same settings (-e) as the server."
        />
        <p>
          Start the server again. It goes on by itself; the database that was there is kept beside the backups, as one
          made before a restore.
        </p>
        <p>
          <strong>A backup opens with the encryption key only.</strong> The key is in no backup: keep{' '}
          <code className={css.example}>encryption.key</code> of the data directory, or what{' '}
          <code className={css.example}>ENCRYPTION_KEY</code> says, as well, and in another place. Without it accounts
          and the stores’ credentials can not be read by anybody; beside the backups it opens them to whoever finds
          both.
        </p>
        <p>These files lie on the disk of the server. Copy them to another machine, or they are lost with it.</p>
      </div>
    </Card>
  );
}
