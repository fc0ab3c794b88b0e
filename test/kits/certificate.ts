// A certificate for the loopback address, made by openssl.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** True if openssl is installed. */
export const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0;
if (!HAS_OPENSSL)
  console.log('The tests of HTTPS are skipped: openssl, which makes their certificate, is not installed.');

/** Files and texts of a certificate and its key, valid for a day. */
export interface Certificate {
  certFile: string;
  keyFile: string;
  cert: string;
  key: string;
}

/** Makes one in a folder. */
export function makeCertificate(folder: string): Certificate {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    keyFile,
    '-out',
    certFile,
    '-days',
    '1',
    ...subject,
  ]);
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr}`);
  return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
