import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What became of one delivery. `status` 0: the connection broke before an answer. */
export interface Receipt {
  readonly status: number;
  /** When the last byte had been handed to the socket, and when the answer was there, by `performance.now()`. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** Sends prepared requests over kept connections, each its own connection while it is under way. */
export interface WebhookSender {
  send(request: Buffer): Promise<Receipt>;
  /** Connections that are open, so that a burst does not begin with a thousand handshakes. */
  warm(count: number): Promise<void>;
  close(): void;
}

interface Line {
  readonly socket: Socket;
  finish: ((status: number) => void) | null;
  received: string;
}

export function createWebhookSender(port: number): WebhookSender {
  const idle: Line[] = [];
  const all = new Set<Line>();

  function open(): Line {
    const line: Line = { socket: connect({ port, host: '127.0.0.1', noDelay: true }), finish: null, received: '' };
    all.add(line);
    const broken = (): void => {
      all.delete(line);
      const at = idle.indexOf(line);
      if (at >= 0) idle.splice(at, 1);
      line.socket.destroy();
      line.finish?.(0);
      line.finish = null;
    };
    line.socket.on('error', broken);
    line.socket.on('close', broken);
    line.socket.on('data', (chunk) => {
      line.received += chunk.toString('latin1');
      const status = wholeAnswer(line.received);
      if (status === null) return;
      line.received = '';
      const { finish } = line;
      line.finish = null;
      idle.push(line);
      finish?.(status);
    });
    return line;
  }

  return {
    send(request) {
      const line = idle.pop() ?? open();
      return new Promise((resolve) => {
        let sentAt = 0;
        line.finish = (status) => resolve({ status, sentAt, answeredAt: performance.now() });
        line.socket.write(request);
        sentAt = performance.now();
      });
    },
    async warm(count) {
      const lines = Array.from({ length: count }, open);
      await Promise.all(lines.map(({ socket }) => once(socket, 'connect')));
      idle.push(...lines);
    },
    close() {
      for (const { socket } of all) socket.destroy();
    },
  };
}

/** The status of a whole answer, or null while some of it is missing. */
function wholeAnswer(text: string): number | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined || text.length < end + 4 + Number(length)) return null;
  return Number(text.slice(9, 12));
}
