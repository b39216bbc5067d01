import { StartupError } from '../lib/startup-error.ts';
import { type Env, EnvReader, processEnv } from './env.ts';

/** A running server, as commands reach it. */
export interface Remote {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
}

/** `API_URL` (default: this machine, at `PORT`) and `API_TOKEN` or `API_TOKEN_FILE`. Throws a StartupError that says what is missing. */
export function loadRemote(env: Env = processEnv()): Remote {
  const read = new EnvReader(env);
  const port = read.integer('PORT', 8080, { min: 1, max: 65_535 });
  const url = read.text('API_URL') ?? `http://127.0.0.1:${port}`;
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
  return { url: url.replace(/\/+$/, ''), token };
}
