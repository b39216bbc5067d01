import { Status, type Tone } from './status.tsx';

export const RECORD_STATES = ['level', 'pending', 'conflict', 'failed', 'unlinked', 'deleted'] as const;
type State = (typeof RECORD_STATES)[number];

export const STATE_NAME: Readonly<Record<State, string>> = {
  level: 'Level',
  pending: 'On the way',
  conflict: 'Conflict',
  failed: 'Failed',
  unlinked: 'One side only',
  deleted: 'Deleted',
};

const TONE: Readonly<Record<State, Tone>> = {
  level: 'ok',
  pending: 'running',
  conflict: 'warn',
  failed: 'bad',
  unlinked: 'quiet',
  deleted: 'quiet',
};

export function RecordState({ state }: { readonly state: State }) {
  return <Status tone={TONE[state]}>{STATE_NAME[state]}</Status>;
}
