import { expect, test } from 'vitest';
import { Sessions } from '../../../src/api/admin/sessions.ts';

const IDLE_MILLISECONDS = 1_800_000;
const cookieOf = (id: string) => `other=1; sextant_console=${id}`;

test('a session ends when nothing has happened in it for half an hour', () => {
  let now = 0;
  const sessions = new Sessions(() => now);
  const cookie = cookieOf(sessions.begin('read'));
  now += IDLE_MILLISECONDS - 1;
  expect(sessions.accessOf(cookie)).toBe('read');
  now += IDLE_MILLISECONDS - 1;
  expect(sessions.accessOf(cookie)).toBe('read');
  now += IDLE_MILLISECONDS;
  expect(sessions.accessOf(cookie)).toBeUndefined();
});

test('the one of 64 sessions that was idle longest ends for one more', () => {
  const sessions = new Sessions(() => 0);
  const cookies = Array.from({ length: 64 }, () => cookieOf(sessions.begin('all')));
  expect(sessions.accessOf(cookies[0])).toBe('all');
  sessions.begin('all');
  expect([0, 1, 2].map(i => sessions.accessOf(cookies[i]))).toEqual(['all', undefined, 'all']);
});

test('a session that was ended is no more, and other cookies are none', () => {
  const sessions = new Sessions(() => 0);
  const id = sessions.begin('all');
  for (const cookie of [undefined, '', 'sextant_console=', `sextant_console=${id}x`, `xsextant_console=${id}`])
    expect(sessions.accessOf(cookie)).toBeUndefined();
  expect(sessions.accessOf(cookieOf(id))).toBe('all');
  sessions.end(cookieOf(id));
  expect(sessions.accessOf(cookieOf(id))).toBeUndefined();
});

test('how a session has ended is told to whoever still has its cookie', () => {
  let now = 0;
  const sessions = new Sessions(() => now);
  const [idle, ended] = ['read', 'all'].map(access => cookieOf(sessions.begin(access as 'read' | 'all')));
  expect(sessions.endOf(idle)).toBeUndefined();
  sessions.end(ended);
  expect(sessions.endOf(ended)).toBe('loggedOut');
  now += IDLE_MILLISECONDS;
  expect(sessions.endOf(idle)).toBe('idle');
  const cookies = Array.from({ length: 65 }, () => cookieOf(sessions.begin('all')));
  expect([0, 1].map(i => sessions.endOf(cookies[i]))).toEqual(['displaced', undefined]);
  // The cookie of another run of the service, one of this run that it knows nothing of any more, and none.
  expect(new Sessions(() => 0).endOf(idle)).toBe('restarted');
  expect(sessions.endOf(idle.slice(0, -4) + 'AAAA')).toBe('over');
  for (const cookie of [undefined, '', 'sextant_console=x']) expect(sessions.endOf(cookie)).toBeUndefined();
});

test('the latest 256 ends are kept', () => {
  const sessions = new Sessions(() => 0);
  const cookies = Array.from({ length: 257 }, () => {
    const cookie = cookieOf(sessions.begin('all'));
    sessions.end(cookie);
    return cookie;
  });
  expect([0, 1].map(i => sessions.endOf(cookies[i]))).toEqual(['over', 'loggedOut']);
});
