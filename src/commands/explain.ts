// `sextant explain`: how an answer comes about. It reads the tables itself, also beside a running service, and answers by the code of the service. Each kind of question
// has a file of its own in explain/.

import type { Command } from 'commander';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { requireFolder } from '../folder/data_folder.ts';
import { explainBody } from './explain/body.ts';
import type { Explain } from './explain/explained.ts';
import { asJson } from './run_job.ts';
import { escapeLines } from './terminal/escape.ts';

/** The flag of each kind of question, and who explains its answer. */
const KINDS: Readonly<Record<string, Explain>> = {
  body: explainBody,
};

/** Adds the verb. */
export function addExplain(program: Command): void {
  withFolderOptions(program.command('explain'))
    .description('say how an answer comes about: what was sent, what is known of it, and what was made of it')
    .option('--body <file>', 'a request for a position: the file of its body, or - for standard input')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  sextant explain --body request.json')
    .action(async ({ json, ...flags }: { json?: true } & Record<string, string>, command: Command) => {
      const asked = Object.keys(KINDS).filter(flag => flags[flag] !== undefined);
      if (asked.length !== 1)
        command.error(
          `error: name one question: ${Object.keys(KINDS)
            .map(flag => `--${flag}`)
            .join(' or ')}`,
        );
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      // Loaded only here: the tables are not needed to refuse a command.
      const { withAnswerer } = await import('./explain/with_answerer.ts');
      const [kind] = asked;
      const explained = await withAnswerer(dataFolder, answerer => KINDS[kind](answerer, flags[kind]));
      process.stdout.write(json ? asJson(explained.object) : escapeLines(explained.text));
    });
}
