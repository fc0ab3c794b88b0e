// `sextant explain`: how an answer comes about. It reads the tables itself, also beside a running service, and answers
// by the code of the service (src/api/explain/).

import type { Command } from 'commander';
import type { Answerer } from '../answer/answerer.ts';
import { type Explained, textOf } from '../api/explain/explained.ts';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { requireFolder } from '../folder/data_folder.ts';
import { ApiError } from '../protocol/errors.ts';
import type { LoggedRequest } from '../tables/requests/record.ts';
import { wholeNumber } from './arguments.ts';

import { asJson, askForJob } from './run_job.ts';
import { escapeLines } from './terminal/escape.ts';

/** Explains the answer to a question. @param asked value of the flag @param folder data folder */
type Explain = (answerer: Answerer, asked: string, folder: string) => Promise<Explained>;

/**
 * The flag of each kind of question, and who explains its answer. They are loaded where they are asked, with the tables
 * that they need.
 */
const KINDS: Readonly<Record<string, () => Promise<Explain>>> = {
  body: async () => {
    const [{ readBody }, { explainBody }] = await Promise.all([
      import('./explain/read_body.ts'),
      import('../api/explain/position.ts'),
    ]);
    return async (answerer, file, folder) => explainBody(answerer, folder, await readBody(file));
  },
  search: async () => {
    const { explainSearch } = await import('../api/explain/search.ts');
    return (answerer, asked) => explainSearch(answerer, queryOf('/search', asked) ?? `q=${encodeURIComponent(asked)}`);
  },
  reverse: async () => {
    const { explainReverse } = await import('../api/explain/reverse.ts');
    return (answerer, asked) => explainReverse(answerer, queryOf('/reverse', asked) ?? queryOfPoint(asked));
  },
};

/** Adds the verb. */
export function addExplain(program: Command): void {
  withFolderOptions(program.command('explain'))
    .description('say how an answer comes about: what was sent, what is known of it, and what was made of it')
    .argument(
      '[id]',
      'a logged position, search or point: the logId of an answer, at most 7 days old',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--body <file>', 'a request for a position: the file of its body, or - for standard input')
    .option('--search <words>', 'a search: its words, or the path of a request with its parameters: /search?q=...')
    .option(
      '--reverse <latitude,longitude>',
      'the place of a point, or the path of a request with its parameters: /reverse?lat=...',
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  sextant explain --body request.json\n  sextant explain 1234567890\n  sextant explain ' +
        '--search "harbor stret 5"\n  sextant explain --reverse 47.141,9.521',
    )
    .action(
      async (
        id: number | undefined,
        { json, ...flags }: { json?: true } & Record<string, string>,
        command: Command,
      ) => {
        const asked = Object.keys(KINDS).filter(flag => flags[flag] !== undefined);
        if (asked.length + (id === undefined ? 0 : 1) !== 1)
          command.error(
            `error: name one question: a logId, or one of ${Object.keys(KINDS)
              .map(flag => `--${flag}`)
              .join(', ')}`,
          );
        const { dataFolder } = readFolderConfig(command);
        requireFolder(dataFolder);
        const explaining =
          id === undefined ? explainKind(dataFolder, asked[0], flags) : explainRequest(command, dataFolder, id);
        const explained = await explaining.catch((error: Error) => {
          throw error instanceof ApiError ? new Error(error.message) : error;
        });
        process.stdout.write(json ? asJson(explained.object) : escapeLines(textOf(explained.sections)));
      },
    );
}

async function explainKind(folder: string, kind: string, flags: Record<string, string>): Promise<Explained> {
  const [{ withAnswerer }, explain] = await Promise.all([import('./explain/with_answerer.ts'), KINDS[kind]()]);
  return withAnswerer(folder, answerer => explain(answerer, flags[kind], folder));
}

async function explainRequest(command: Command, folder: string, id: number): Promise<Explained> {
  const request = await askForJob(command, { verb: 'log', id });
  if (request === null) throw new Error(`There is no logged request ${id}; requests are kept at most 7 days.`);
  const [{ withAnswerer }, { explainLogged }] = await Promise.all([
    import('./explain/with_answerer.ts'),
    import('../api/explain/logged.ts'),
  ]);
  return withAnswerer(folder, answerer => explainLogged(answerer, folder, request as LoggedRequest));
}

/** The parameters of a path with them; undefined if it is another one, or none. */
function queryOf(path: string, asked: string): string | undefined {
  return asked.startsWith(`${path}?`) ? asked.slice(path.length + 1) : undefined;
}

function queryOfPoint(asked: string): string {
  const [latitude, longitude = ''] = asked.split(',', 2);
  return String(new URLSearchParams({ lat: latitude.trim(), lon: longitude.trim() }));
}
