// Reads and tests the certificate and key of HTTPS before anything is started, and watches files of the operator.

import { watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { readRegularFile } from '../../config/regular_file.ts';
import type { Config } from '../../config.ts';

/** The settings that name the files. */
type CertificateFiles = Pick<Config, 'tlsCertificateFile' | 'tlsKeyFile'>;

/** PEM contents for an HTTPS server. */
interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** Far more than any chain of certificates has. */
const FILE_BYTES_MAX = 1_048_576;
/**
 * How often the files are looked at. Whoever renews them replaces one after the other, so they are read once both have
 * been left alone for as long.
 */
const WATCH_MILLISECONDS = 2_000;

/** Calls back when one of the files has changed. Does not keep the process alive. */
export function watchFiles(files: readonly (string | undefined)[], changed: () => void): void {
  let settling: NodeJS.Timeout | undefined;
  for (const file of files) {
    if (file === undefined) continue;
    watchFile(file, { interval: WATCH_MILLISECONDS, persistent: false }, () => {
      clearTimeout(settling);
      settling = setTimeout(changed, WATCH_MILLISECONDS).unref();
    });
  }
}

/** Reads the pair that the configuration names; `undefined` if it names none. @throws Error when it cannot be used */
export function readCertificate(config: CertificateFiles): Certificate | undefined {
  const { tlsCertificateFile, tlsKeyFile } = config;
  if (tlsCertificateFile === undefined || tlsKeyFile === undefined) return undefined;
  const pair = { cert: readPem('certificate', tlsCertificateFile), key: readPem('key', tlsKeyFile) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new Error(
      `The certificate ${tlsCertificateFile} and the key ${tlsKeyFile} cannot be used together: ` +
        `${(error as Error).message}.`,
    );
  }
  return pair;
}

function readPem(what: string, file: string): Buffer {
  try {
    return readRegularFile(file, FILE_BYTES_MAX);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`The ${what} file ${file} cannot be read (${code ?? message}).`);
  }
}
