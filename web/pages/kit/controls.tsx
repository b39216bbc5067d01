import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { Chip } from '../../components/chip.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, PasswordField, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { Kbd } from '../../components/kbd.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Steps } from '../../components/steps.tsx';
import { StrengthMeter } from '../../components/strength-meter.tsx';
import { Shelf } from './shelf.tsx';

const LOOKS = ['primary', 'default', 'ghost', 'danger', 'gold'] as const;
const SIZES = ['sm', 'md', 'lg'] as const;
const TOPICS = [
  { value: '', label: 'Select a topic' },
  { value: 'technical', label: 'Technical' },
];

export function Controls() {
  const [range, setRange] = useState<'day' | 'week'>('day');
  const [isPressed, setPressed] = useState(true);
  const [page, setPage] = useState(3);
  const [open, setOpen] = useState<'dialog' | 'sheet' | null>(null);
  return (
    <>
      {SIZES.map((size) => (
        <Shelf key={size} title={`Button, ${size}`}>
          {LOOKS.map((look) => (
            <Button key={look} look={look} size={size}>
              Apply 59 changes
            </Button>
          ))}
          <Button size={size} busy>
            Busy
          </Button>
          <Button size={size} disabled>
            Disabled
          </Button>
          <IconButton size={size} label="Sync" icon={<RefreshCw aria-hidden="true" />} />
        </Shelf>
      ))}
      <Shelf title="Field">
        <TextField label="Name" hint="As on the shelf" />
        <TextField label="Price" prefix="$" defaultValue="18.00" />
        <TextField label="Email" defaultValue="ida(at)example.com" error="Please enter a valid email address" />
        <TextField label="Company" optional disabled defaultValue="Disabled" />
        <PasswordField label="Password" defaultValue="Good-shelf-7" />
        <SelectField label="Subject" options={TOPICS} />
        <TextAreaField label="Message" rows={3} placeholder="Tell us how we can help you..." />
        <CheckField label="Remember me for 30 days" defaultChecked />
      </Shelf>
      <Shelf title="Password strength">
        {['', 'abc', 'abcdefgh', 'Abcdefgh', 'Abcdefg1', 'Abcdef1!'].map((password) => (
          <StrengthMeter key={password} password={password} />
        ))}
      </Shelf>
      <Shelf title="Choices">
        <Segmented
          label="Range"
          value={range}
          options={[
            { value: 'day', label: '24 h' },
            { value: 'week', label: '7 days' },
          ]}
          onChange={setRange}
        />
        <Chip pressed={isPressed} count="39" onToggle={() => setPressed(!isPressed)}>
          Updates
        </Chip>
        <Chip pressed={false} count="0" disabled onToggle={() => undefined}>
          Deletes
        </Chip>
        <Kbd>Esc</Kbd>
        <Pagination page={page} pageCount={9} onPage={setPage} />
        <Steps names={['Account', 'Security']} current={1} />
      </Shelf>
      <Shelf title="Dialog and sheet">
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onClick={() => setOpen('sheet')}>Open a sheet</Button>
        <Dialog
          open={open !== null}
          kind={open ?? 'dialog'}
          title="Delete the pair Northfold?"
          onClose={() => setOpen(null)}
          footer={
            <Button look="danger" onClick={() => setOpen(null)}>
              Delete the pair
            </Button>
          }
        >
          Both stores keep everything that they have.
        </Dialog>
      </Shelf>
    </>
  );
}
