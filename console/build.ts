// Builds the console: `node console/build.ts SOURCES STAMP`, called by src/prepare.js. esbuild bundles console/src into
// build/console/, one file for the frame and one for each view, which is loaded when the view is opened. Files are
// named by their content, compressed here and never again, and listed in manifest.json: the service serves what is in
// the list (src/api/console/console_files.ts), and nothing else.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { build, type Metafile, type OutputFile, type Plugin, transform } from 'esbuild';
import { writeApiTypes, writeKeySettings, writeRequestSchema } from './api_types.ts';

const ROOT = resolve(import.meta.dirname, '..');
const BUILT = join(ROOT, 'build/console');
/** Below which path the service serves the files. */
const ASSETS = '/console/assets/';
/** The media type of each kind of file. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};
/** The form of a page, and the pages: at the admin address, and, with three views, at the public one. */
const PAGE = 'index.html';
const PAGES = { [PAGE]: 'console/src/main.tsx', 'public.html': 'console/src/public.tsx' } as const;

/**
 * `import address from 'FILE?url'` is the address of a file that is loaded later: of a worker, of data, or of the style
 * of a library that one view needs.
 */
const addresses: Plugin = {
  name: 'addresses',
  setup(builder) {
    builder.onResolve({ filter: /\?url$/ }, async ({ path, resolveDir, kind }) => {
      const found = await builder.resolve(path.replace(/\?url$/, ''), { resolveDir, kind });
      return found.errors.length > 0
        ? { errors: found.errors }
        : { path: relative(ROOT, found.path), namespace: 'address' };
    });
    builder.onLoad({ filter: /.*/, namespace: 'address' }, async ({ path }) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const isStyle = extname(path) === '.css';
      return {
        contents: isStyle ? (await transform(text, { loader: 'css', minify: true })).code : text,
        loader: 'file',
      };
    });
  },
};

/** Builds everything into a new folder, which then takes the place of the old one. */
async function buildConsole(sources: string, stamp: string): Promise<void> {
  writeApiTypes(join(ROOT, 'docs'), join(ROOT, 'build/console_api.ts'));
  writeRequestSchema(join(ROOT, 'docs'), join(ROOT, 'build/console_schema.json'));
  writeKeySettings(join(ROOT, 'docs'), join(ROOT, 'build/key_settings.ts'));
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    // Names follow from paths: those of packages are the same where a release links to them from elsewhere.
    preserveSymlinks: true,
    entryPoints: Object.values(PAGES),
    outdir: BUILT,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    write: false,
    metafile: true,
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    publicPath: ASSETS,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file' },
    plugins: [addresses],
  });
  const draft = `${BUILT}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    const pages = Object.entries(PAGES).map(([name, entry]) => ({ name, contents: pageOf(metafile, entry) }));
    const shown = filesOf(metafile, PAGES['public.html']);
    const files = [...outputFiles.map(named), ...pages];
    const listed = await Promise.all(
      files.map(file => writeCompressed(draft, file, file.name === 'public.html' || shown.has(file.name))),
    );
    const manifest = Object.fromEntries(listed.sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(join(draft, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    rmSync(stamp, { force: true });
    rmSync(BUILT, { recursive: true, force: true });
    renameSync(draft, BUILT);
    writeFileSync(stamp, sources);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function named({ path, contents }: OutputFile): { name: string; contents: Buffer } {
  return { name: basename(path), contents: Buffer.from(contents) };
}

/** A file of the manifest: what it is, whether the public page needs it, and its bytes as it is, and compressed. */
type Listed = [name: string, file: { type: string; isPublic: boolean; bytes: number; br: number; gzip: number }];

/** Writes NAME.br and NAME.gz. A client that takes neither gets what the service unpacks. */
async function writeCompressed(
  folder: string,
  { name, contents }: { name: string; contents: Buffer },
  isPublic: boolean,
): Promise<Listed> {
  const type = TYPES[extname(name)];
  if (type === undefined) throw new Error(`The console has a file of a kind that is not served: ${name}.`);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(contents, { params: { [zlib.BROTLI_PARAM_SIZE_HINT]: contents.length } }),
    promisify(gzip)(contents, { level: zlib.Z_BEST_COMPRESSION }),
  ]);
  writeFileSync(join(folder, `${name}.br`), br);
  writeFileSync(join(folder, `${name}.gz`), gz);
  return [name, { type, isPublic, bytes: contents.length, br: br.length, gzip: gz.length }];
}

/** A page, which names the files of the frame. Without an inline script or style. @param entry where it begins */
function pageOf({ outputs }: Metafile, entry: string): Buffer {
  const [icon] = Object.entries(outputs).find(([, { inputs }]) => 'console/src/icon.svg' in inputs)!;
  const [main, { cssBundle }] = outputOf(outputs, entry);
  const page = readFileSync(join(ROOT, 'console/src', PAGE), 'utf8')
    .replace('ICON', ASSETS + basename(icon))
    .replace('STYLE', ASSETS + basename(cssBundle!))
    .replace('MAIN', ASSETS + basename(main));
  return Buffer.from(page);
}

/** Names of all files that a page may load, sooner or later. @param entry where it begins */
function filesOf({ outputs }: Metafile, entry: string): Set<string> {
  const [main] = outputOf(outputs, entry);
  const found = new Set<string>();
  const open = [main];
  while (open.length > 0) {
    const path = open.pop()!;
    if (found.has(path) || outputs[path] === undefined) continue;
    found.add(path);
    const { imports, cssBundle } = outputs[path];
    open.push(...imports.map(each => each.path), ...(cssBundle === undefined ? [] : [cssBundle]));
  }
  return new Set([...found].map(path => basename(path)));
}

function outputOf(outputs: Metafile['outputs'], entry: string): [string, Metafile['outputs'][string]] {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (found === undefined) throw new Error(`The build has nothing of ${entry}.`);
  return found;
}

await buildConsole(process.argv[2], process.argv[3]);
