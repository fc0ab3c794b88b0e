// The files of the console, as console/build.ts has built them. What is served is an exact table of names, which the
// build wrote: no path of a request ever reaches the file system. Files are read once, when the first one is asked for,
// and kept as they were compressed.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const BUILT = new URL('../../../build/console/', import.meta.url);
/** The page. All other files are named by their content. */
const PAGE = 'index.html';
const CODINGS = ['br', 'gzip'] as const;
const ENDS = { br: 'br', gzip: 'gz' } as const;

/**
 * What pages of ours may load, all of it from our own origin, and who may frame them: nobody. Images may also be drawn
 * by the page itself. Styles and scripts stand in files only.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  vary: 'accept-encoding',
};
const FOREVER = 'public, max-age=31536000, immutable';

/** A file: its media type and its bytes, compressed. */
interface Asset {
  type: string;
  br: Buffer;
  gzip: Buffer;
}

/** What is answered. */
export interface ServedFile {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

let assets: ReadonlyMap<string, Asset> | undefined;

/**
 * A file of the console.
 * @param name after `/console/assets/`; without, the page
 * @param accepted field `Accept-Encoding`
 * @param elsewhere an origin from which tiles may come
 * @returns undefined if the console has no such file
 * @throws Error when the console is not built
 */
export function consoleFile(
  name: string | undefined,
  accepted: string | undefined,
  elsewhere?: string,
): ServedFile | undefined {
  assets ??= readAssets();
  const asset = name === PAGE ? undefined : assets.get(name ?? PAGE);
  if (asset === undefined) return undefined;
  const coding = CODINGS.find(each =>
    new RegExp(`\\b${each}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted ?? ''),
  );
  return {
    headers: {
      ...HEADERS,
      ...(elsewhere !== undefined && { 'content-security-policy': policyWith(elsewhere) }),
      'content-type': asset.type,
      'cache-control': name === undefined ? 'no-cache' : FOREVER,
      ...(coding && { 'content-encoding': coding }),
    },
    body: coding === undefined ? gunzipSync(asset.gzip) : asset[coding],
  };
}

/** The policy with one origin more for tiles. */
function policyWith(origin: string): string {
  return POLICY.replace(/(connect-src|img-src) 'self'/g, `$& ${origin}`);
}

function readAssets(): Map<string, Asset> {
  const read = (name: string) => readFileSync(fileURLToPath(new URL(name, BUILT)));
  const manifest: Record<string, { type: string }> = JSON.parse(read('manifest.json').toString());
  return new Map(
    Object.entries(manifest).map(([name, { type }]) => [
      name,
      { type, br: read(`${name}.${ENDS.br}`), gzip: read(`${name}.${ENDS.gzip}`) },
    ]),
  );
}
