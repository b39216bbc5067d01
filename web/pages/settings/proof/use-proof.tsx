import { type ReactNode, useCallback, useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { ProofDialog } from './proof-dialog.tsx';

/** The person was asked who they are and preferred not to say: nothing was done, and nothing is to be told. */
class ProofDeclined extends Error {
  override readonly name = 'ProofDeclined';
}

export function isDeclined(error: unknown): boolean {
  return error instanceof ProofDeclined;
}

interface Proof {
  /** Does something that the server may want a password for. Where it does, the person is asked for it and it is done once more. */
  readonly withProof: <Reply>(run: () => Promise<Reply>) => Promise<Reply>;
  /** Where it is asked. To be drawn. */
  readonly dialog: ReactNode;
}

/** A session that was left open somewhere is no proof of who sits there: what it protects asks for the password, at most every ten minutes. */
export function useProof(): Proof {
  const [isAsking, setAsking] = useState(false);
  const settle = useRef<((isProved: boolean) => void) | null>(null);
  const withProof = useCallback(async <Reply,>(run: () => Promise<Reply>): Promise<Reply> => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'PROOF_REQUIRED') throw error;
    }
    setAsking(true);
    const isProved = await new Promise<boolean>((resolve) => {
      settle.current = resolve;
    });
    setAsking(false);
    if (!isProved) throw new ProofDeclined();
    return run();
  }, []);
  const end = useCallback((isProved: boolean) => settle.current?.(isProved), []);
  return { withProof, dialog: <ProofDialog open={isAsking} onEnd={end} /> };
}
