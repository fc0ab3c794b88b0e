// What the service writes of texts that others chose: a line of text begins with its time, and no mark reaches a
// terminal.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openServiceLog } from '../../../src/commands/service/service_log.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const MESSAGE = 'Error: no "a\u001b[2J\u009b"\n    at b\n2026-11-22T10:00:00.000Z ERROR forged';

function logged(logFormat: 'text' | 'json'): string {
  const logFile = join(temporaryFolder(), 'service.log');
  openServiceLog({ logLevel: 'info', logFormat, logFile, accessLog: 'off', accessLogFile: undefined }).error(MESSAGE);
  return readFileSync(logFile, 'utf8');
}

test('further lines of a message are set in, and marks escaped', () => {
  expect(logged('text').replace(/^\S+/, 'TIME')).toBe(
    'TIME ERROR Error: no "a\\u001b[2J\\u009b"\n      at b\n  2026-11-22T10:00:00.000Z ERROR forged\n',
  );
});

test('a message is one line of JSON without marks', () => {
  const text = logged('json');
  expect(text.slice(0, -1)).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(text).msg).toBe(MESSAGE.replace('\u001b', '\\u001b').replace('\u009b', '\\u009b'));
});
