import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readCertificate } from '../../../src/commands/service/certificate.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

// A self-signed certificate for localhost and its key, made for this test.
const KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdxcf5vNUXKHLlagv/i5AEfAgiKXt2NFKa8GBxciF5WqhRANCAARSIBRn5EdHOP/qbBTMEwPND6qiFU+ERfLBkY6GpTWnRmIh2P/wmzSDYcY1At0PCwumOgXByRW/AWLPa8X881Fc';
const CERTIFICATE =
  'MIIBgDCCASWgAwIBAgIUXFvP16TjB//NvY1VUlYheCz0zGIwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEwMTA0OVoYDzIxMjYxMDI4MTAxMDQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARSIBRn5EdHOP/qbBTMEwPND6qiFU+ERfLBkY6GpTWnRmIh2P/wmzSDYcY1At0PCwumOgXByRW/AWLPa8X881Fco1MwUTAdBgNVHQ4EFgQU/p95QfUnjxW/Y2Ofsne1dxLERuYwHwYDVR0jBBgwFoAU/p95QfUnjxW/Y2Ofsne1dxLERuYwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA2NL5WEOjNLGfXdQBzgzLLO2dxC0Bs+KhKQKSkwwqB20CIQCcGDyYKsW3zuFlAgonSI+ZE5taOkfg9Xm8XVPgB+gX5Q==';

let folder: string;
let files: { tlsCertificateFile: string; tlsKeyFile: string };

beforeEach(() => {
  folder = temporaryFolder();
  files = { tlsCertificateFile: join(folder, 'cert.pem'), tlsKeyFile: join(folder, 'key.pem') };
  writeFileSync(files.tlsCertificateFile, new X509Certificate(Buffer.from(CERTIFICATE, 'base64')).toString());
  const key = createPrivateKey({ key: Buffer.from(KEY, 'base64'), format: 'der', type: 'pkcs8' });
  writeFileSync(files.tlsKeyFile, key.export({ type: 'pkcs8', format: 'pem' }));
});

test('a certificate and its key are read', () => {
  const pair = readCertificate(files)!;
  expect(pair.cert.toString()).toContain('BEGIN CERTIFICATE');
  expect(pair.key.toString()).toContain('PRIVATE KEY');
});

test('without a certificate there is none', () => {
  expect(readCertificate({ tlsCertificateFile: undefined, tlsKeyFile: undefined })).toBeUndefined();
});

test('a file that cannot be read is named', () => {
  rmSync(files.tlsKeyFile);
  expect(() => readCertificate(files)).toThrow(`The key file ${files.tlsKeyFile} cannot be read (ENOENT).`);
  expect(() => readCertificate({ ...files, tlsCertificateFile: folder })).toThrow(
    `The certificate file ${folder} cannot be read (it is no file).`,
  );
});

test('a key of another certificate and a file of something else are refused', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  writeFileSync(files.tlsKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  expect(() => readCertificate(files)).toThrow(
    `The certificate ${files.tlsCertificateFile} and the key ${files.tlsKeyFile} cannot be used together: `,
  );
  writeFileSync(files.tlsCertificateFile, 'hello');
  expect(() => readCertificate(files)).toThrow('cannot be used together');
});
