// Sends the requests of the corpus to a service, one after the other, and keeps what it answers.

import type { Answer, ServiceProcess } from '../kits/service_process.ts';
import { bytesOf, type CorpusRequest, type KeptAnswer, keep, type Step } from './exchange.ts';
import { allSteps } from './requests.ts';
import { type ComputeMode, serveCopy, type World } from './world.ts';

/** A request and what was answered. */
export interface Exchange {
  request: CorpusRequest;
  answer: KeptAnswer;
}

/**
 * Replays the whole corpus in a copy of the world. @param flags more of them for the service @throws Error when the
 * service does not stop cleanly or had a fault of its own
 */
export async function replayCopy(
  world: World,
  folder: string,
  mode: ComputeMode,
  ...flags: string[]
): Promise<Exchange[]> {
  const service = await serveCopy(world, folder, mode, ...flags);
  const exchanges: Exchange[] = [];
  try {
    for await (const exchange of replay(service, world.keys, allSteps())) exchanges.push(exchange);
  } catch (error) {
    await service.stop('SIGKILL');
    throw error;
  }
  const { code, stderr } = await service.stop();
  if (code !== 0 || stderr.includes('"level":50'))
    throw new Error(`The service ended with ${code} and said: ${stderr}`);
  return exchanges;
}

/** Replays steps in their order. */
async function* replay(
  service: ServiceProcess,
  keys: ReadonlyMap<string, string>,
  steps: Iterable<Step>,
): AsyncGenerator<Exchange> {
  const states = new Map<string, string>();
  const fill = (text: string): string =>
    text.replace(/\{\{(key|state):(\w+)\}\}/g, (placeholder, kind: string, name: string) => {
      const value = (kind === 'key' ? keys : states).get(name);
      if (value === undefined) throw new Error(`Nothing is known of ${placeholder}.`);
      return value;
    });
  for (const step of steps) {
    if (step === 'aggregate') {
      await service.job({ verb: 'aggregate', action: 'all' });
      continue;
    }
    const answer = await send(service, step, fill);
    if (step.keepState !== undefined) {
      const { state } = JSON.parse(answer.text);
      if (typeof state !== 'string')
        throw new Error(`The answer to ${step.method} ${step.path} holds no state: ${answer.text}`);
      states.set(step.keepState, state);
    }
    yield { request: step, answer: keep(step, answer) };
  }
}

type RawAnswer = Pick<Answer, 'status' | 'headers' | 'text'>;

async function send(
  service: ServiceProcess,
  request: CorpusRequest,
  fill: (text: string) => string,
): Promise<RawAnswer> {
  if (request.raw !== undefined) return parseAnswer(await service.raw(fill(request.raw)));
  const { method, path, headers = {} } = request;
  return service.request({ method, path: fill(path), headers, body: bytesOf(request, fill) });
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first, ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map(line => line.split(/:\s*(.*)/, 2)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { status: Number(first.split(' ')[1]), headers, text: text.slice(end + 4) };
}
