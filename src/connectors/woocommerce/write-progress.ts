import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductWrite } from '../../ports/connector.ts';
import type { CallOptions } from './client.ts';
import type { ProductPlan } from './product-plan.ts';

/** One write on its way: what was planned, what came of it. The first error ends it. */
export interface Progress {
  readonly write: ProductWrite;
  plan: ProductPlan | null;
  error: ConnectorError | null;
  externalId: string | null;
  /** The parent as the server answered it, when it did. */
  raw: unknown;
  newVariantIds: string[];
  /** Something of it was sent. */
  isBegun: boolean;
  /** Something of it was carried out, and not taken back. */
  isPartlyDone: boolean;
}

/** Until when what has not left is sent, and until when its answer is waited for. */
export type Until = Pick<CallOptions, 'signal' | 'cut'>;

export function beginOf(write: ProductWrite): Progress {
  return {
    write,
    plan: null,
    error: null,
    externalId: write.type === 'update' ? write.externalId : null,
    raw: null,
    newVariantIds: [],
    isBegun: false,
    isPartlyDone: false,
  };
}

export function isAlive(one: Progress): boolean {
  return one.error === null;
}

/** An error of the connector's own ends this one write; any other is a bug. */
export function guard(one: Progress, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    one.error = error;
  }
}
