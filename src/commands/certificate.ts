// Reads and tests the certificate and key of HTTPS before anything is started.

import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';

/** PEM contents for an HTTPS server. */
export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** Reads the pair that the configuration names; `undefined` if it names none. @throws Error when it cannot be used */
export function readCertificate(config: Pick<Config, 'tlsCertificateFile' | 'tlsKeyFile'>): Certificate | undefined {
  const { tlsCertificateFile, tlsKeyFile } = config;
  if (tlsCertificateFile === undefined || tlsKeyFile === undefined) return undefined;
  const pair = { cert: readPem('certificate', tlsCertificateFile), key: readPem('key', tlsKeyFile) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new Error(
      `The certificate ${tlsCertificateFile} and the key ${tlsKeyFile} cannot be used together: ${(error as Error).message}.`,
    );
  }
  return pair;
}

function readPem(what: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`The ${what} file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
