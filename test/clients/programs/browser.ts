// Controls of maps in a browser: leaflet-control-geocoder and maplibre-gl-geocoder. A page of another origin than the
// service loads them from where npm has put them; what it asks is in browser_page.js.

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';
import { installNpm, Missing, type Program, type Served } from '../program.ts';
import { type Findings, QUESTIONS } from '../questions.ts';

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
/** No network of its own, and WebGL by the processor. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--enable-unsafe-swiftshader'];
const WAIT_MILLISECONDS = 120_000;
const SCRIPT = join(import.meta.dirname, 'browser_page.js');

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.mjs': 'text/javascript' };

/** Opens a page with these elements, whose addresses are files of packages, and has it ask. */
async function ask(client: string, head: string, served: Served, folder: string): Promise<Findings> {
  const page =
    `<!doctype html><title>A map</title><div id=map style="width:600px;height:400px"></div>` +
    `${head}<script src="/page.js"></script>`;
  const server = createServer(({ url }, response) => {
    const path = normalize(new URL(url!, 'http://page').pathname);
    if (path === '/') response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    else {
      const file = path === '/page.js' ? SCRIPT : join(folder, 'node_modules', path);
      if (!existsSync(file)) response.writeHead(404).end();
      else response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain').end(readFileSync(file));
    }
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  const browser = await chromium.launch({ executablePath: BROWSER!, args: FLAGS });
  try {
    const opened = await browser.newPage();
    opened.setDefaultTimeout(WAIT_MILLISECONDS);
    await opened.goto(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
    const words = [client, `http://${served.host}`, served.key, QUESTIONS].map(each => JSON.stringify(each)).join(', ');
    return await opened.evaluate(`ask(${words})`);
  } finally {
    await browser.close();
    server.close();
  }
}

async function install(folder: string, ...names: string[]): Promise<string> {
  if (BROWSER === undefined) throw new Missing('there is no browser (apt-get install chromium)');
  return installNpm(folder, ...names);
}

const LEAFLET =
  '<script src="/leaflet/dist/leaflet.js"></script>' +
  '<script src="/leaflet-control-geocoder/dist/Control.Geocoder.js"></script>';
const MAPLIBRE =
  '<script src="/@maplibre/maplibre-gl-geocoder/dist/maplibre-gl-geocoder.js"></script><script type=module>' +
  'import * as library from "/maplibre-gl/dist/maplibre-gl.mjs"; globalThis.maplibregl = library;</script>';

export const BROWSER_CONTROLS: readonly Program[] = [
  {
    name: 'leaflet-control-geocoder',
    install: folder => install(folder, 'leaflet-control-geocoder', 'leaflet'),
    clients: Object.fromEntries(
      ['Nominatim', 'Photon', 'Google'].map(kind => [
        `leaflet-control-geocoder: ${kind}`,
        (served: Served, folder: string): Promise<Findings> => ask(kind, LEAFLET, served, folder),
      ]),
    ),
  },
  {
    name: '@maplibre/maplibre-gl-geocoder',
    install: folder => install(folder, '@maplibre/maplibre-gl-geocoder', 'maplibre-gl'),
    clients: { 'maplibre-gl-geocoder': (served, folder) => ask('MapLibre', MAPLIBRE, served, folder) },
  },
];
