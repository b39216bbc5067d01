import { resolve } from 'node:path';
import { BRAND } from '../brand.ts';
import { parseAddressRanges } from '../lib/address-range.ts';
import { StartupError } from '../lib/startup-error.ts';
import { DAY_MS } from '../lib/time.ts';
import { USAGE_METERS, type UsageLimits } from '../model/usage.ts';
import { type Env, EnvReader, processEnv } from './env.ts';

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Who may create an account: the first visitor only (with the set-up token), anyone, or the invited. */
const SIGNUP_MODES = ['first', 'open', 'invite'] as const;
export type SignupMode = (typeof SIGNUP_MODES)[number];

/** Everything that is set from outside. Validated: whoever holds one needs to check nothing. */
export interface Config {
  readonly server: {
    readonly host: string;
    /** 0: any free port. */
    readonly port: number;
    /** Address at which people and platforms reach this server, without a slash at the end; null: not told. */
    readonly publicUrl: string | null;
    /** The server's own certificate; null: plain http, behind a proxy that has one. */
    readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
    /** Addresses (CIDR) of proxies whose forwarded headers are believed. */
    readonly trustedProxies: readonly string[];
  };
  /** Null: emails are kept in the outbox for the instance's owner to read. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null;
  /** Sign-in by OpenID Connect; null: passwords only. */
  readonly openId: {
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly name: string;
    readonly allowsSignUp: boolean;
  } | null;
  /** Absolute. */
  readonly dataDir: string;
  readonly demo: boolean;
  /** Whether stores on loopback http may be connected: for tests and local work. */
  readonly allowLocalStores: boolean;
  readonly logLevel: LogLevel;
  /** "2026-10"; null: the version this program was built for. */
  readonly shopifyApiVersion: string | null;
  readonly signup: SignupMode;
  /** Above which people are told; nothing is refused. */
  readonly usageLimits: UsageLimits;
  /** How long the history of fields, runs and plans is kept; null: for ever. */
  readonly historyKeptMs: number | null;
  /** Daily copies of the database that are kept; 0: none is made. */
  readonly backupsKept: number;
  /** Absolute: a list of stolen passwords, looked at when somebody sets a new one; null: none. */
  readonly breachedPasswordsFile: string | null;
  /** Secrets as given; null: none was given, and `loadSecrets` makes and keeps one. */
  readonly given: {
    readonly setupToken: string | null;
    readonly jwtSecret: string | null;
    /** 32 bytes each; the first one seals, all of them open. */
    readonly encryptionKeys: readonly Uint8Array[] | null;
  };
}

const SECRET_LENGTH_MIN = 32;
const SETUP_TOKEN_LENGTH_MIN = 12;
const BACKUPS_KEPT_MAX = 1_000;
const USAGE_LIMIT_MAX = 1_000_000_000;

/** Reads and checks all settings. Throws one `StartupError` that names every bad variable and what to write instead. */
export function loadConfig(env: Env = processEnv()): Config {
  const read = new EnvReader(env);
  const config: Config = {
    server: {
      // Open to the network only when somebody asks for it; the container image does.
      host: read.text('HOST') ?? '127.0.0.1',
      port: read.integer('PORT', 8080, { min: 0, max: 65_535 }),
      publicUrl: read.parsed(
        'PUBLIC_URL',
        read.text('PUBLIC_URL'),
        parsePublicUrl,
        'is no web address: write it like https://sync.example.com, without a query',
      ),
      tls: readTls(read),
      trustedProxies:
        read.parsed(
          'TRUSTED_PROXIES',
          read.text('TRUSTED_PROXIES'),
          parseProxies,
          'is no list of addresses: write them like 127.0.0.1, 10.0.0.0/8, separated by commas, and not all that there are (/0), for anybody could say then where they come from',
        ) ?? [],
    },
    mail: readMail(read),
    openId: readOpenId(read),
    dataDir: resolve(read.text('DATA_DIR') ?? './data'),
    demo: read.flag('DEMO', true),
    allowLocalStores: read.flag('ALLOW_LOCAL_STORES', false),
    logLevel: read.choice('LOG_LEVEL', 'info', LOG_LEVELS),
    shopifyApiVersion: read.parsed(
      'SHOPIFY_API_VERSION',
      read.text('SHOPIFY_API_VERSION'),
      (text) => (/^20\d\d-(01|04|07|10)$/.test(text) ? text : null),
      'is no version of the Admin API: write it like 2026-10, or leave it out',
    ),
    signup: read.choice('SIGNUP', 'first', SIGNUP_MODES),
    usageLimits: readUsageLimits(read),
    historyKeptMs: read.integer('HISTORY_DAYS', 400, { min: 0, max: 36_500 }) * DAY_MS || null,
    backupsKept: read.integer('BACKUPS_KEEP', 3, { min: 0, max: BACKUPS_KEPT_MAX }),
    breachedPasswordsFile: read.parsed('BREACHED_PASSWORDS_FILE', read.text('BREACHED_PASSWORDS_FILE'), resolve, ''),
    given: {
      setupToken: read.parsed(
        'SETUP_TOKEN',
        read.secret('SETUP_TOKEN'),
        (text) => (text.length >= SETUP_TOKEN_LENGTH_MIN ? text : null),
        `is too short: write at least ${SETUP_TOKEN_LENGTH_MIN} characters, or leave it out`,
      ),
      jwtSecret: read.parsed(
        'JWT_SECRET',
        read.secret('JWT_SECRET'),
        (text) => (text.length >= SECRET_LENGTH_MIN ? text : null),
        `is too short: write at least ${SECRET_LENGTH_MIN} random characters (openssl rand -hex 32), or leave it out`,
      ),
      encryptionKeys: read.parsed(
        'ENCRYPTION_KEY',
        read.secret('ENCRYPTION_KEY'),
        parseKeys,
        'is no key: write 64 hexadecimal digits (openssl rand -hex 32); during a rotation the new one, a comma, the old one',
      ),
    },
  };
  if (read.problems.length > 0) {
    const lines = read.problems.map(({ variable, message }) => `${variable} ${message}`);
    throw new StartupError(`Settings that can not be used: ${lines.join('; ')}.`, 'Correct them and start again.');
  }
  return config;
}

function readUsageLimits(read: EnvReader): UsageLimits {
  const limits = Object.entries(USAGE_METERS).map(([kind, { setting, limit }]) => {
    const value = read.integer(setting, limit, { min: 0, max: USAGE_LIMIT_MAX });
    return [kind, value === 0 ? null : value];
  });
  return Object.fromEntries(limits) as UsageLimits;
}

function readTls(read: EnvReader): Config['server']['tls'] {
  const [certFile, keyFile] = [read.text('TLS_CERT'), read.text('TLS_KEY')];
  if (certFile === null && keyFile === null) return null;
  const needed = 'is needed as well: TLS_CERT and TLS_KEY are the paths of two files that belong together';
  for (const [variable, value] of Object.entries({ TLS_CERT: certFile, TLS_KEY: keyFile }))
    read.parsed(variable, value ?? '', (text) => (text === '' ? null : text), needed);
  return { certFile: resolve(certFile ?? ''), keyFile: resolve(keyFile ?? '') };
}

function readOpenId(read: EnvReader): Config['openId'] {
  const issuer = read.parsed(
    'OIDC_ISSUER',
    read.text('OIDC_ISSUER'),
    (text) => (/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])/.test(text) && URL.canParse(text) ? text : null),
    'is no address of an issuer: write it like https://login.example.com',
  );
  const client = { id: read.text('OIDC_CLIENT_ID'), secret: read.secret('OIDC_CLIENT_SECRET') };
  const name = read.text('OIDC_NAME') ?? 'OpenID Connect';
  const allowsSignUp = read.flag('OIDC_SIGNUP', false);
  if (issuer === null) return null;
  const needed = 'is needed together with OIDC_ISSUER: the provider gave it to you';
  for (const variable of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
    const value = variable === 'OIDC_CLIENT_ID' ? client.id : client.secret;
    read.parsed(variable, value ?? '', (text) => (text === '' ? null : text), needed);
  }
  return { issuer, clientId: client.id ?? '', clientSecret: client.secret ?? '', name, allowsSignUp };
}

function readMail(read: EnvReader): Config['mail'] {
  const smtpUrl = read.parsed(
    'SMTP_URL',
    read.secret('SMTP_URL'),
    (text) => (/^smtps?:\/\/[^/]/.test(text) && isReadable(text) ? text : null),
    'is no address of a mail server: write it like smtps://user:password@mail.example.com:465, and signs such as @ / # % in user and password as %40 %2F %23 %25',
  );
  const from = read.parsed(
    'MAIL_FROM',
    read.text('MAIL_FROM'),
    (text) => (/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/.test(text) ? text : null),
    'is no sender: write it like Twinshelf <sync@example.com>',
  );
  if (smtpUrl === null) return null;
  const { username, hostname } = new URL(smtpUrl);
  const user = decodeURIComponent(username);
  return { smtpUrl, from: from ?? (user.includes('@') ? user : `${BRAND.slug}@${hostname}`) };
}

/** Whether user and password, too, say what they are: a "%" that begins no sign would be found out by the first email, which is never sent then. */
function isReadable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}

function parseProxies(text: string): readonly string[] | null {
  const ranges = parseAddressRanges(text);
  return ranges?.some((range) => /\/0+$/.test(range)) === true ? null : ranges;
}

function parsePublicUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return null;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Hex or base64 of 32 bytes, several separated by commas. */
export function parseKeys(text: string): readonly Uint8Array[] | null {
  const keys = text.split(',').map((part) => parseKey(part.trim()));
  const sound = keys.filter((key) => key !== null);
  return sound.length === keys.length ? sound : null;
}

function parseKey(text: string): Uint8Array | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  return null;
}
