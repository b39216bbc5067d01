import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { StartupError } from '../lib/startup-error.ts';
import { HOUR_MS } from '../lib/time.ts';
import type { Log } from '../ports/log.ts';

/** Paths of PEM files: the certificate with its chain, and its key. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const REMEDY =
  'TLS_CERT names a PEM file with the certificate and those between it and the root, TLS_KEY one with its key, without a password. Both have to be readable by this user.';

/** Reads both files and proves that they belong together. Throws a `StartupError` that says which of them is wrong. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  const cert = readPem('TLS_CERT', certFile);
  const key = readPem('TLS_KEY', keyFile);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new StartupError(`TLS_CERT and TLS_KEY do not go together: ${reasonOf(error)}.`, REMEDY);
  }
  return { cert, key };
}

/**
 * Looks at the files now and then and hands over what was renewed: certificates live for weeks, servers for months. Files that can't be used
 * are told in the log, and the certificate of before goes on. Answers how to stop.
 */
export function followCertificate(
  files: CertificateFiles,
  first: Certificate,
  apply: (renewed: Certificate) => void,
  log: Log,
  everyMs = HOUR_MS,
): () => void {
  let current = first;
  const timer = setInterval(() => {
    try {
      const next = readCertificate(files);
      if (next.cert === current.cert && next.key === current.key) return;
      apply(next);
      current = next;
      log.info({}, 'the renewed certificate is in use');
    } catch (error) {
      log.error({ error: reasonOf(error) }, 'the certificate can not be read again; the one of before goes on');
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function readPem(variable: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartupError(`${variable} can not be read: ${reasonOf(error)}.`, REMEDY);
  }
  if (!text.includes('-----BEGIN ')) throw new StartupError(`${variable} names ${file}, which is no PEM file.`, REMEDY);
  return text;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
