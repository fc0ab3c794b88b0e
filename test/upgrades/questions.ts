// What is asked of a kept data folder. The questions of a version are kept beside its folder with the answers, so a
// change here changes only what later versions are asked.

import { runSextant, type ServiceProcess } from '../kits/service_process.ts';

/** A request, and what a version has answered. */
export interface KeptQuestion {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  status: number;
  answer: unknown;
}

/** What a version has kept. */
export interface KeptAnswers {
  /** Processor by which the folder was written; its files are those of this kind alone. */
  architecture: string;
  questions: KeptQuestion[];
  /** Lines that commands print about the folder, by their words; those of JSON are read. */
  printed: Record<string, unknown[]>;
}

/** Keys that are made, by their names in questions. */
export const KEYS = {
  main: { name: 'main', trusted: true, contributor: true, address: true },
  prepaid: { name: 'prepaid', credits: 500 },
  indoor: { name: 'indoor', indoor: true, speedFilter: true },
} as const;

/** Commands that print what the tables hold. */
export const COMMANDS = [
  'export stations',
  'export stations --kind wifi',
  'export stations --kind bluetooth',
  'export observations',
  'sources list --json',
  'buildings list --json',
  'keys list --json',
] as const;

const NOON = 1_772_452_800_000;
const wifi = (...heard: [mac: string, level: number][]) => ({
  timestamp: NOON,
  wifiAccessPoints: heard.map(([macAddress, signalStrength]) => ({ macAddress, signalStrength })),
});
const LTE = { mobileCountryCode: 295, mobileNetworkCode: 5, locationAreaCode: 2101 };

const OFFICE = {
  ...wifi(['02:00:5e:1c:e0:01', -54], ['02:00:5e:1c:e0:02', -86], ['02:00:5e:1c:e0:03', -79]),
  indoor: 1,
};

/** The questions, by the key of their account. One that goes on has the state of the answer before it. */
const QUESTIONS: readonly { key: keyof typeof KEYS; path: string; body?: object; goesOn?: true }[] = [
  { key: 'main', path: '/?', body: wifi(['02:00:5e:20:00:01', -50], ['02:00:5e:20:00:02', -55]) },
  { key: 'main', path: '/?', body: wifi(['02:00:5e:40:00:01', -61], ['02:00:5e:40:00:02', -70]) },
  { key: 'main', path: '/?', body: wifi(['02:00:5e:00:00:d3', -50], ['02:00:5e:00:00:d4', -60]) },
  { key: 'prepaid', path: '/?', body: wifi(['02:00:5e:00:00:d3', -50], ['02:00:5e:00:00:d4', -60]) },
  { key: 'main', path: '/?', body: { cellTowers: [{ radioType: 'lte', ...LTE, cellId: 1_280_257 }] } },
  { key: 'main', path: '/?', body: { cellTowers: [{ radioType: 'lte', ...LTE, cellId: 1_281_025 }] } },
  { key: 'main', path: '/?', body: wifi(['02:00:5e:77:00:01', -50], ['02:00:5e:78:00:02', -60]) },
  { key: 'indoor', path: '/?id=phone&', body: OFFICE },
  { key: 'indoor', path: '/?id=phone&', body: { ...OFFICE, timestamp: NOON + 5_000 }, goesOn: true },
  { key: 'main', path: '/search?q=harbour+street+5+demo+town&limit=1&' },
  { key: 'main', path: '/search?q=gull+row+7+demo+town&limit=1&extratags=1&' },
  { key: 'main', path: '/search?q=Vaduz&limit=2&' },
  { key: 'main', path: '/reverse?lat=1.2504&lon=-2.4995&' },
  { key: 'main', path: '/lookup?osm_ids=N12&' },
];

/** Asks the questions. @param keys by their names */
export async function askQuestions(
  service: ServiceProcess,
  keys: Readonly<Record<string, string>>,
): Promise<KeptQuestion[]> {
  const asked: KeptQuestion[] = [];
  let state: unknown;
  for (const { key, path, body, goesOn } of QUESTIONS) {
    const method = body === undefined ? 'GET' : 'POST';
    const whole = body === undefined ? {} : { body: { ...body, ...(goesOn && { state }) } };
    const { question, json } = await ask(service, { method, path: `${path}key=${keys[key]}`, ...whole });
    state = json?.state;
    asked.push(question);
  }
  return asked;
}

/** Asks one question again. @returns it, and all of its answer, of which numbers of requests and states never repeat */
export async function ask(
  service: ServiceProcess,
  { method, path, body }: Pick<KeptQuestion, 'method' | 'path' | 'body'>,
): Promise<{ question: KeptQuestion; json: { state?: unknown } | undefined }> {
  const asked = { method, path, ...(body !== undefined && { body }) };
  const { status, json, text } = await service.request(asked);
  const { logId: _, state: __, ...answer } = Array.isArray(json) ? { list: json } : (json ?? { text });
  return { question: { ...asked, status, answer }, json };
}

/** What commands print about a folder that nobody serves. @throws Error when one of them fails */
export async function printAll(folder: string, commands: Iterable<string>): Promise<Record<string, unknown[]>> {
  const printed: Record<string, unknown[]> = {};
  for (const words of commands) {
    const { code, stdout, stderr } = await runSextant(...words.split(' '), '--data', folder);
    if (code !== 0) throw new Error(`"${words}" ended with ${code}: ${stderr}`);
    printed[words] = stdout
      .trimEnd()
      .split('\n')
      .sort()
      .map(line => (line.startsWith('{') ? JSON.parse(line) : line));
  }
  return printed;
}
