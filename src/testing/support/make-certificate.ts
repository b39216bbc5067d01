import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** A certificate that `host` signed for itself, good for two days: paths of its PEM files. */
export function makeCertificate(
  dir: string,
  name = 'own',
  host = '127.0.0.1',
): { readonly certFile: string; readonly keyFile: string } {
  const [keyFile, certFile] = [join(dir, `${name}.key.pem`), join(dir, `${name}.cert.pem`)];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const kind = /^[\d.]+$/.test(host) ? 'IP' : 'DNS';
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=${kind}:${host}`, '-days', '2'];
  execFileSync('openssl', [...request, ...subject, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' });
  return { certFile, keyFile };
}
