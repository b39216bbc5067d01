import type { ClientMessage, ServerMessage } from '../../src/contracts/live.ts';

/** connected: messages flow · connecting: first try or a repeat · offline: every try was used up, or there is no network. */
export type LiveStatus = 'connecting' | 'connected' | 'offline';

export interface LiveSocketOptions {
  readonly url: string;
  /** The token of this moment, or null when nobody is signed in. */
  readonly token: () => string | null;
  /** Gets a new token; false when the session is over, which it has ended on the page then. */
  readonly renewToken: () => Promise<boolean>;
  readonly onStatus: (status: LiveStatus) => void;
  readonly onMessage: (message: ServerMessage) => void;
}

export const HEARTBEAT_MS = 30_000;
/** So long a line may be silent after a heartbeat, or after it is being opened. */
const SILENCE_MS_MAX = 30_000;
const TRIES_MAX = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** A new token can help: the old one has expired, or the person is in another workspace by now. */
const RENEWABLE: ReadonlySet<string> = new Set(['TOKEN_EXPIRED', 'SESSION_EXPIRED', 'UNAUTHORIZED']);

/** How long to wait before try number `tried + 1`. */
export function waitBeforeTry(tried: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** tried, LONGEST_WAIT_MS);
}

/** The live channel: authenticates, keeps itself alive, and comes back by itself, missing no journal row. */
export class LiveSocket {
  readonly #options: LiveSocketOptions;
  #socket: WebSocket | null = null;
  #status: LiveStatus = 'connecting';
  #tried = 0;
  #lastSeq: number | null = null;
  #isWanted = false;
  /** The token was renewed since the channel last stood: refused again, it is not the token. */
  #isRenewed = false;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #heartbeatTimer: ReturnType<typeof setInterval> | undefined;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveSocketOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isWanted = true;
    this.#tried = 0;
    this.#open();
    window.addEventListener('online', this.#wake);
    window.addEventListener('offline', this.#sleep);
    document.addEventListener('visibilitychange', this.#wake);
  }

  stop(): void {
    this.#isWanted = false;
    window.removeEventListener('online', this.#wake);
    window.removeEventListener('offline', this.#sleep);
    document.removeEventListener('visibilitychange', this.#wake);
    this.#drop();
  }

  /** The network is back or someone looks again: all tries are there anew. */
  readonly #wake = (): void => {
    if (!this.#isWanted || this.#socket || document.visibilityState === 'hidden') return;
    this.#tried = 0;
    this.#open();
  };

  /** The server has answered something else: one more try, after all others were used up. */
  tryOnce(): void {
    if (!this.#isWanted || this.#status !== 'offline') return;
    this.#tried = TRIES_MAX;
    this.#open();
  }

  readonly #sleep = (): void => {
    this.#drop();
    this.#setStatus('offline');
  };

  #open(): void {
    const accessToken = this.#options.token();
    if (accessToken === null) return;
    this.#drop();
    this.#setStatus('connecting');
    const socket = new WebSocket(this.#options.url);
    this.#socket = socket;
    // What is in between can take the line and let nothing through: the browser would wait for ever.
    this.#deadline = setTimeout(() => this.#retry(), SILENCE_MS_MAX);
    socket.onopen = () => {
      const afterSeq = this.#lastSeq;
      this.#send({ type: 'authenticate', payload: { accessToken, ...(afterSeq === null ? {} : { afterSeq }) } });
    };
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = () => {
      if (this.#socket === socket) this.#retry();
    };
  }

  #receive(data: unknown): void {
    let message: ServerMessage;
    try {
      message = JSON.parse(String(data)) as ServerMessage;
    } catch {
      return;
    }
    clearTimeout(this.#deadline);
    switch (message.type) {
      case 'ready':
        this.#tried = 0;
        this.#isRenewed = false;
        this.#lastSeq ??= message.payload.lastSeq;
        this.#heartbeatTimer = setInterval(() => this.#beat(), HEARTBEAT_MS);
        this.#setStatus('connected');
        break;
      case 'refused':
        void this.#refused(message.payload.code);
        return;
      case 'heartbeat':
        this.#send({ type: 'heartbeat_ack' });
        return;
      case 'heartbeat_ack':
        return;
      case 'activity':
        this.#lastSeq = Math.max(this.#lastSeq ?? 0, message.payload.seq);
        break;
      case 'lagged':
        this.#lastSeq = Math.max(this.#lastSeq ?? 0, message.payload.lastSeq);
        break;
    }
    this.#options.onMessage(message);
  }

  async #refused(code: string): Promise<void> {
    this.#drop();
    if (!RENEWABLE.has(code) || this.#isRenewed) {
      this.#isRenewed = false;
      this.#setStatus('offline');
      return;
    }
    this.#setStatus('connecting');
    try {
      const isRenewed = await this.#options.renewToken();
      if (!this.#isWanted) return;
      this.#isRenewed = isRenewed;
      if (isRenewed) this.#open();
      else this.#setStatus('offline');
    } catch {
      this.#retry();
    }
  }

  #setStatus(status: LiveStatus): void {
    this.#status = status;
    this.#options.onStatus(status);
  }

  #beat(): void {
    this.#send({ type: 'heartbeat' });
    this.#deadline = setTimeout(() => this.#retry(), SILENCE_MS_MAX);
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      console.warn('Live message not sent: not connected');
      return;
    }
    this.#socket.send(JSON.stringify({ ...message, timestamp: new Date().toISOString() }));
  }

  #retry(): void {
    this.#drop();
    if (!this.#isWanted) return;
    if (this.#tried >= TRIES_MAX || !navigator.onLine) {
      this.#setStatus('offline');
      return;
    }
    this.#setStatus('connecting');
    this.#retryTimer = setTimeout(() => this.#open(), waitBeforeTry(this.#tried));
    this.#tried += 1;
  }

  #drop(): void {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#deadline);
    clearInterval(this.#heartbeatTimer);
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onmessage = null;
    socket.onclose = null;
    // Closed while it is only being opened, the browser calls it a failure in the console.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }
}
