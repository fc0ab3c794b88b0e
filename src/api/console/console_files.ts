// The files of the console, as console/build.ts has built them. What is served is an exact table of names, which the
// build wrote: no path of a request ever reaches the file system. Files are read once, when the first one is asked for,
// and kept as they were compressed.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const BUILT = new URL('../../../build/console/', import.meta.url);
/** The page of each address. All other files are named by their content. */
const PAGES = { admin: 'index.html', public: 'public.html' } as const;
/** Where a page is: at the admin address, or, with three views, at the public one. */
type Place = keyof typeof PAGES;
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

/** A file: its media type and its bytes, compressed, and as they are once a client has taken neither. */
interface Asset {
  type: string;
  /** The public page needs it. */
  isPublic: boolean;
  br: Buffer;
  gzip: Buffer;
  plain?: Buffer;
}

/** What is answered. */
export interface ServedFile {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

let assets: ReadonlyMap<string, Asset> | undefined;

/**
 * A file of the console.
 * @param place whose files
 * @param name after `/console/assets/`; without, the page
 * @param accepted field `Accept-Encoding`
 * @param elsewhere an origin from which tiles may come
 * @returns undefined if the console has no such file
 * @throws Error when the console is not built
 */
export function consoleFile(
  place: Place,
  name: string | undefined,
  accepted: string | undefined,
  elsewhere?: string,
): ServedFile | undefined {
  assets ??= readAssets();
  const isPage = name !== undefined && Object.values<string>(PAGES).includes(name);
  const asset = isPage ? undefined : assets.get(name ?? PAGES[place]);
  if (asset === undefined || (place === 'public' && !asset.isPublic)) return undefined;
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
    body: coding === undefined ? plainOf(asset) : asset[coding],
  };
}

/** Unpacked once, so that nobody keeps the thread busy who asks for it again and again. */
function plainOf(asset: Asset): Buffer {
  asset.plain ??= gunzipSync(asset.gzip);
  return asset.plain;
}

/** The policy with one origin more for tiles. */
function policyWith(origin: string): string {
  return POLICY.replace(/(connect-src|img-src) 'self'/g, `$& ${origin}`);
}

function readAssets(): Map<string, Asset> {
  const read = (name: string) => readFileSync(fileURLToPath(new URL(name, BUILT)));
  const manifest: Record<string, { type: string; isPublic: boolean }> = JSON.parse(read('manifest.json').toString());
  return new Map(
    Object.entries(manifest).map(([name, { type, isPublic }]) => [
      name,
      { type, isPublic, br: read(`${name}.${ENDS.br}`), gzip: read(`${name}.${ENDS.gzip}`) },
    ]),
  );
}
