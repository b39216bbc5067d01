import { readFileSync } from 'node:fs';

export type Env = Readonly<Record<string, string | undefined>>;

/** A setting that can't be used, and what to write instead. */
export interface SettingProblem {
  readonly variable: string;
  readonly message: string;
}

/** The one place where the process's environment is read. */
export function processEnv(): Env {
  return process.env;
}

/** Where SQLite lays what is too large for the memory, unless somebody chose a place. It looks once, when the first database is opened. */
export function layTempFilesIn(directory: string): void {
  process.env['SQLITE_TMPDIR'] ??= directory;
}

/**
 * Reads settings one by one and collects what is wrong with them, so that a person sees all mistakes at once.
 * An empty variable counts as not set: compose files pass `${NAME:-}`.
 */
export class EnvReader {
  readonly problems: SettingProblem[] = [];
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
  }

  text(variable: string): string | null {
    const value = this.#env[variable]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  /** A secret: from `NAME`, or from the file that `NAME_FILE` names (Docker and Kubernetes secrets). */
  secret(variable: string): string | null {
    const value = this.text(variable);
    const file = this.text(`${variable}_FILE`);
    if (file === null) return value;
    if (value !== null) {
      this.#problem(variable, `is set together with ${variable}_FILE: keep one of them`);
      return null;
    }
    try {
      const content = readFileSync(file, 'utf8').trim();
      if (content === '') this.#problem(`${variable}_FILE`, `names ${file}, which is empty`);
      return content === '' ? null : content;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#problem(`${variable}_FILE`, `names a file that can not be read (${reason})`);
      return null;
    }
  }

  flag(variable: string, fallback: boolean): boolean {
    const value = this.text(variable)?.toLowerCase();
    if (value === undefined) return fallback;
    if (['on', 'true', 'yes', '1'].includes(value)) return true;
    if (['off', 'false', 'no', '0'].includes(value)) return false;
    this.#problem(variable, `is "${value}": write on or off`);
    return fallback;
  }

  integer(variable: string, fallback: number, range: { readonly min: number; readonly max: number }): number {
    const value = this.text(variable);
    if (value === null) return fallback;
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= range.min && number <= range.max) return number;
    this.#problem(variable, `is "${value}": write a whole number from ${range.min} to ${range.max}`);
    return fallback;
  }

  choice<T extends string>(variable: string, fallback: T, choices: readonly T[]): T {
    const value = this.text(variable)?.toLowerCase();
    if (value === undefined) return fallback;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) this.#problem(variable, `is "${value}": write one of ${choices.join(', ')}`);
    return found ?? fallback;
  }

  /** What `parse` makes of the text; when it gives null the setting is reported with `remedy`. The value itself is shown only if it is no secret. */
  parsed<T>(variable: string, value: string | null, parse: (text: string) => T | null, remedy: string): T | null {
    if (value === null) return null;
    const result = parse(value);
    if (result === null) this.#problem(variable, remedy);
    return result;
  }

  #problem(variable: string, message: string): void {
    this.problems.push({ variable, message });
  }
}
