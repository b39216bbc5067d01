import { readFileSync } from 'node:fs';
import { Agent, type Dispatcher } from 'undici';
import { BRAND } from '../../brand.ts';
import { loadRemote, type Remote } from '../../config/remote.ts';
import { VERSION } from '../../config/version.ts';
import type { ErrorReply } from '../../contracts/errors.ts';
import { PAGE_LIMIT_MAX } from '../../contracts/shared.ts';
import { StartupError } from '../../lib/startup-error.ts';
import { REMOTE_COMMANDS, type RemoteCommand } from './commands.ts';
import { layOutTable } from './lay-out-table.ts';

const TIMEOUT_MS = 60_000;

/** `stores list`, `sync now <pair>`, ...: asks a running server. `--json` prints its reply as it is. */
export async function runRemote(group: string, args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usageOf(group));
    return;
  }
  const { words, options } = splitOptions(args);
  const [name, ...values] = words;
  const command = REMOTE_COMMANDS[group]?.find(({ usage }) => usage.split(' ')[0] === name);
  const wanted = command?.usage.match(/<[^>]+>/g) ?? [];
  if (command === undefined || values.length !== wanted.length)
    throw new StartupError('That is no command.', usageOf(group));
  const { json, ...query } = options;
  const known = [...(command.usage.match(/--[a-z]+/g) ?? [])].map((option) => option.slice(2));
  const unknown = Object.keys(query).find((option) => !known.includes(option));
  if (unknown !== undefined) throw new StartupError(`There is no option --${unknown} here.`, usageOf(group));
  const reply = await ask(loadRemote(), command, values, query);
  if (json !== undefined) console.log(JSON.stringify(reply, null, 2));
  else print(command.rows(reply as never));
  const { nextCursor } = reply as { readonly nextCursor?: string | null };
  // Not among the lines, which a program may count.
  if (json === undefined && typeof nextCursor === 'string')
    console.error(
      `There are more: --limit takes up to ${PAGE_LIMIT_MAX}, and --cursor ${nextCursor} goes on from here.`,
    );
}

function usageOf(group: string): string {
  const lines = (REMOTE_COMMANDS[group] ?? []).map(({ usage, about }) => `  ${group} ${usage.padEnd(52)} ${about}`);
  return `Usage: ${BRAND.slug} ${group} ...\n${lines.join('\n')}\n  --json with any of them prints the whole reply`;
}

function splitOptions(args: readonly string[]): {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string>>;
} {
  const words: string[] = [];
  const options: Record<string, string> = {};
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('--')) {
      words.push(arg);
      continue;
    }
    const [name = '', inline] = arg.slice(2).split(/=(.*)/s);
    if (name === 'json') options[name] = '';
    else if (inline !== undefined) options[name] = inline;
    else {
      at += 1;
      options[name] = args[at] ?? '';
    }
  }
  return { words, options };
}

async function ask(
  { url, token, certFile }: Remote,
  command: RemoteCommand,
  values: readonly string[],
  query: Readonly<Record<string, string>>,
): Promise<unknown> {
  const target = new URL(`${url}${command.path(values)}`);
  target.search = new URLSearchParams(query).toString();
  const body = command.method === 'GET' ? null : JSON.stringify(command.body?.(values) ?? {});
  const agent = new Agent({ connect: certFile === null ? {} : trusting(certFile) });
  let reply: Dispatcher.ResponseData;
  try {
    reply = await agent.request({
      origin: target.origin,
      path: `${target.pathname}${target.search}`,
      method: command.method,
      headers: {
        authorization: `Bearer ${token}`,
        'user-agent': `${BRAND.slug}-cli/${VERSION}`,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new StartupError(`There is no answer from ${url}.`, 'Start the server, or set API_URL to where it runs.');
  }
  const content = await reply.body.json().catch(() => null);
  await agent.close();
  const isDone = reply.statusCode >= 200 && reply.statusCode < 300;
  if (isDone && typeof content === 'object' && content !== null) return content;
  if (isDone) {
    throw new StartupError(
      `What answers at ${url} is no ${BRAND.name}.`,
      'Set API_URL to the address of the server, or PORT to the one that it listens on.',
    );
  }
  if (reply.statusCode === 401) {
    throw new StartupError(
      `The server at ${url} does not accept API_TOKEN: it is unknown, revoked or expired.`,
      'Make a new one in the workspace (POST /api/workspace/tokens).',
    );
  }
  const error = (content as Partial<ErrorReply> | null)?.error;
  throw new StartupError(
    error?.message ?? `${url} answered with HTTP ${reply.statusCode}.`,
    error === undefined ? 'Is API_URL the address of the server?' : `(${error.code}, request ${error.requestId})`,
  );
}

/** The certificate of the server on this machine bears the name that people use, and not the address by which it is reached here. */
function trusting(certFile: string) {
  try {
    return { ca: readFileSync(certFile, 'utf8'), allowPartialTrustChain: true, checkServerIdentity: () => undefined };
  } catch {
    throw new StartupError(
      `TLS_CERT names ${certFile}, which can not be read.`,
      'Set API_URL to the server’s address.',
    );
  }
}

function print(rows: ReturnType<RemoteCommand['rows']>): void {
  if (rows === null) console.log('Done.');
  else console.log(rows.length === 0 ? 'Nothing.' : layOutTable(rows));
}
