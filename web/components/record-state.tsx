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

/** What has happened in the stores since they were read last is not known. */
export const LEVEL_AS = {
  now: STATE_NAME.level,
  at_last_sync: 'Level at the last sync',
  when_it_stopped: 'Level when it stopped',
} as const;

interface RecordStateProps {
  readonly state: State;
  /** How new what is known of the record's pair is; null: that could not be read. */
  readonly known: keyof typeof LEVEL_AS | null;
}

export function RecordState({ state, known }: RecordStateProps) {
  if (state !== 'level' || known === 'now') return <Status tone={TONE[state]}>{STATE_NAME[state]}</Status>;
  return <Status tone="quiet">{known === null ? 'Level, as last seen' : LEVEL_AS[known]}</Status>;
}
