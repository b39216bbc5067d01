export interface SheetEnds<Reply> {
  /** While the sheet is open it says itself how its request ended. */
  readonly onDone: (reply: Reply) => void;
  readonly onFailed: (error: Error) => void;
  /** The same once it is closed, in a sentence. */
  readonly done: (reply: Reply) => string;
  readonly failed: (error: Error) => string;
  /** It failed and was told elsewhere: opened again, the sheet does not say it once more. */
  readonly forget?: () => void;
}

type Say = (tone: 'success' | 'error', text: string) => void;

/** Closing a sheet calls nothing off: keys are replaced and addresses moved all the same. So the end is told where the person is by then. */
export async function tellEnd<Reply>(
  request: Promise<Reply>,
  isOpen: () => boolean,
  ends: SheetEnds<Reply>,
  say: Say,
): Promise<void> {
  let reply: Reply;
  try {
    reply = await request;
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    if (isOpen()) {
      ends.onFailed(error);
      return;
    }
    say('error', ends.failed(error));
    ends.forget?.();
    return;
  }
  if (isOpen()) ends.onDone(reply);
  else say('success', ends.done(reply));
}
