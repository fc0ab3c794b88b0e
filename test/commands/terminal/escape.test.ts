import { expect, onTestFinished, test } from 'vitest';
import { asJson } from '../../../src/commands/run_job.ts';
import { escapeLines, escapeMarks } from '../../../src/commands/terminal/escape.ts';

const MARKS = '\u0007\u001b[2J\u007f\u009b\u00ad\u061c\u200b\u200f\u2028\u202e\u2066\ufeff\u{e0041}';

test('what moves the cursor, begins a line or turns the direction of writing is escaped', () => {
  expect(escapeMarks('a\u001b[31mb\u202ec\nd\re')).toBe('a\\u001b[31mb\\u202ec\\u000ad\\u000de');
  expect(escapeLines('a\u001b[31mb\u202ec\nd\re')).toBe('a\\u001b[31mb\\u202ec\nd\\u000de');
  expect(escapeMarks(MARKS)).toMatch(/^[\x20-\x7e]+$/);
  expect(escapeMarks('Zürich 東京 🚲')).toBe('Zürich 東京 🚲');
});

test('JSON with marks means the same', () => {
  const printed = asJson({ ssid: MARKS });
  expect(printed).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(printed)).toEqual({ ssid: MARKS });
});

test('JSON on several lines stays so', () => {
  const isTerminal = process.stdout.isTTY;
  process.stdout.isTTY = true;
  onTestFinished(() => {
    process.stdout.isTTY = isTerminal;
  });
  expect(asJson({ a: 'b\n\u009b' })).toBe('{\n  "a": "b\\n\\u009b"\n}\n');
});
