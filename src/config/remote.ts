import { StartupError } from '../lib/startup-error.ts';
import { type Env, EnvReader, processEnv } from './env.ts';

/** A running server, as commands reach it. */
export interface Remote {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Path of the server's own certificate, where it is this machine's; null: the address is certified as everybody's is. */
  readonly certFile: string | null;
}

/** `API_URL` (default: this machine, at `PORT`, with https where `TLS_CERT` is set) and `API_TOKEN` or `API_TOKEN_FILE`. Throws a StartupError that says what is missing. */
export function loadRemote(env: Env = processEnv()): Remote {
  const read = new EnvReader(env);
  const port = read.integer('PORT', 8080, { min: 1, max: 65_535 });
  const given = read.text('API_URL');
  const certFile = given === null ? read.text('TLS_CERT') : null;
  const url = given ?? `${certFile === null ? 'http' : 'https'}://127.0.0.1:${port}`;
  const token = read.secret('API_TOKEN');
  const [problem] = read.problems;
  if (problem !== undefined)
    throw new StartupError(`${problem.variable} ${problem.message}.`, 'Correct it and try again.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new StartupError(`API_URL is "${url}".`, 'Write it like https://sync.example.com.');
  if (token === null)
    throw new StartupError(
      'API_TOKEN is not set.',
      'Make a token in the workspace (POST /api/workspace/tokens), and set API_TOKEN or API_TOKEN_FILE to it.',
    );
  return { url: url.replace(/\/+$/, ''), token, certFile };
}
