import { ConnectorError } from '../../model/connector-error.ts';

/** [C28] What a pure preparation of a write throws at what its platform is known to refuse; null: it takes it. */
export function refusalIn(prepare: () => unknown): ConnectorError | null {
  try {
    prepare();
    return null;
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
}
