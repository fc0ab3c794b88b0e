// Lines of the access log: what is in them, and what a client cannot put into them.

import { expect, test } from 'vitest';
import { type Access, AccessLog } from '../../../src/api/transport/access_log.ts';

const KEY = 'sx_0123456789abcdefghjkmnpqrs';
const PLAIN: Access = {
  timeMs: Date.parse('2026-11-22T10:00:00Z'),
  address: '203.0.113.9',
  method: 'POST',
  url: '/?x=1',
  status: 200,
  latencyUs: 412.3,
  account: 2,
  device: 'tracker-1',
  logId: 1_048_576,
};

function linesOf(form: 'text' | 'json', ...accesses: Access[]): string {
  let lines = '';
  const log = new AccessLog(form, text => {
    lines += text;
  });
  for (const access of accesses) log.add(access);
  log.flush();
  return lines;
}

test('a line has what is known of a request', () => {
  expect(linesOf('text', PLAIN)).toBe(
    '2026-11-22T10:00:00.000Z 203.0.113.9 POST /?x=1 200 0.412ms key=2 device=tracker-1 logId=1048576\n',
  );
  expect(JSON.parse(linesOf('json', PLAIN))).toEqual({
    time: '2026-11-22T10:00:00.000Z',
    address: '203.0.113.9',
    method: 'POST',
    url: '/?x=1',
    status: 200,
    latencyMs: 0.412,
    key: 2,
    device: 'tracker-1',
    logId: 1_048_576,
  });
  const unknown = { ...PLAIN, address: undefined, account: undefined, device: undefined };
  expect(linesOf('text', unknown)).toContain(' - POST /?x=1 200 0.412ms key=- device=- logId=');
  expect(Object.keys(JSON.parse(linesOf('json', unknown)))).toEqual([
    'time',
    'method',
    'url',
    'status',
    'latencyMs',
    'logId',
  ]);
});

test.each(['text', 'json'] as const)(
  '%s: nothing that a client sends begins a line, moves a cursor or is a key',
  form => {
    const nasty = [
      'a\nb',
      'a b=c',
      '\u001b[2J',
      '\u202eabc',
      'ü€𝄞',
      '\ud800',
      KEY,
      `%73${KEY.slice(1)}`,
      '"}\r\n',
      '\u0085',
      '\u2028',
    ];
    const text = linesOf(
      form,
      ...nasty.flatMap(part => [
        { ...PLAIN, device: part },
        { ...PLAIN, url: `/${part}` },
        { ...PLAIN, address: part },
      ]),
    );
    const lines = text.split('\n');
    expect(lines).toHaveLength(3 * nasty.length + 1);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text).not.toContain(KEY.slice(4));
    for (const line of lines.slice(0, -1)) {
      if (form === 'text') expect(line.split(' ')).toHaveLength(9);
      else expect(Object.keys(JSON.parse(line))).toHaveLength(9);
    }
  },
);

test('many lines are sent before any time passes', () => {
  const sent: string[] = [];
  const log = new AccessLog('text', text => sent.push(text));
  for (let i = 0; i < 1_000; i++) log.add(PLAIN);
  expect(sent.length).toBeGreaterThan(0);
  log.flush();
  expect(sent.join('').split('\n')).toHaveLength(1_001);
});
