import { createServer } from 'node:net';

export interface MailServer {
  readonly url: string;
  /** Messages as they came, oldest first. */
  readonly received: string[];
  close(): void;
}

/** A mail server over real TCP, as far as SMTP goes here; `answer` gives its reply to a recipient. */
export async function startMailServer(answer: (recipient: string) => string = () => '250 ok'): Promise<MailServer> {
  const received: string[] = [];
  const server = createServer((socket) => {
    let isData = false;
    let text = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    socket.on('error', () => undefined);
    say('220 mail.test ESMTP');
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      for (;;) {
        const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + (isData ? 5 : 2));
        if (isData) {
          received.push(part);
          isData = false;
          say('250 kept');
        } else if (/^DATA/i.test(part)) {
          isData = true;
          say('354 go on');
        } else if (/^RCPT TO/i.test(part)) say(answer(part));
        else if (/^QUIT/i.test(part)) {
          say('221 bye');
          socket.end();
        } else say('250 ok');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `smtp://127.0.0.1:${port}`, received, close: () => void server.close() };
}

/** The text part of a message, as a person reads it; quoted-printable is undone. */
export function textOf(message: string): string {
  const [, part = ''] = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/i.exec(message) ?? [];
  return part
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
