import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { LOG_BLOCK_IDS, LogIds } from '../../../src/tables/requests/log_ids.ts';
import { RequestLog } from '../../../src/tables/requests/request_log.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const fail = (error: Error) => {
  throw error;
};

function take(ids: LogIds, count: number): void {
  for (let i = 0; i < count; i++) ids.next();
}

/** A writer that answers when the test says so. */
class SlowWriter {
  asked = 0;
  private readonly answers: { resolve: (first: number) => void; reject: (error: Error) => void }[] = [];
  readonly allocate = (): Promise<number> => {
    if (++this.asked <= 2) return Promise.resolve(this.asked * LOG_BLOCK_IDS);
    return new Promise((resolve, reject) => this.answers.push({ resolve, reject }));
  };
  async answer(): Promise<void> {
    this.answers.shift()!.resolve(this.asked * LOG_BLOCK_IDS);
    await new Promise(setImmediate);
  }
  async refuse(): Promise<void> {
    this.answers.shift()!.reject(new Error('disk full'));
    await new Promise(setImmediate);
  }
}

describe('a thread', () => {
  test('counts through its first block, then its second, and asks for a third only then', async () => {
    const writer = new SlowWriter();
    const ids = await LogIds.start(writer.allocate, fail);
    expect(ids.next()).toBe(LOG_BLOCK_IDS);
    take(ids, LOG_BLOCK_IDS - 2);
    expect(ids.next()).toBe(2 * LOG_BLOCK_IDS - 1);
    expect(writer.asked).toBe(2);
    expect(ids.next()).toBe(2 * LOG_BLOCK_IDS);
    take(ids, 5);
    expect(writer.asked).toBe(3);
    await writer.answer();
    take(ids, LOG_BLOCK_IDS - 6);
    expect(ids.next()).toBe(3 * LOG_BLOCK_IDS);
  });

  test('throws only when a slow writer has left it without a single id, and goes on when the writer answers', async () => {
    const writer = new SlowWriter();
    const ids = await LogIds.start(writer.allocate, fail);
    take(ids, 2 * LOG_BLOCK_IDS);
    expect(() => ids.next()).toThrow('no log id left');
    await writer.answer();
    expect(ids.next()).toBe(3 * LOG_BLOCK_IDS);
  });

  test('reports a refusal and asks again when half of the rest is used', async () => {
    const writer = new SlowWriter();
    const errors: string[] = [];
    const ids = await LogIds.start(writer.allocate, error => errors.push(error.message));
    take(ids, LOG_BLOCK_IDS + 2);
    await writer.refuse();
    expect(errors).toEqual(['disk full']);
    take(ids, LOG_BLOCK_IDS / 2 - 2);
    expect(writer.asked).toBe(3);
    take(ids, 2);
    expect(writer.asked).toBe(4);
    await writer.answer();
    take(ids, LOG_BLOCK_IDS / 2 - 2);
    expect(ids.next()).toBe(4 * LOG_BLOCK_IDS);
  });
});

describe('no two replies share an id', () => {
  test('over threads and restarts', async () => {
    const seen = new Set<number>();
    for (let restart = 0; restart < 5; restart++) {
      const log = RequestLog.open(folder, 1, fail);
      const allocate = () => log.allocateBlock();
      const threads = await Promise.all([1, 2, 3].map(() => LogIds.start(allocate, fail)));
      for (let i = 0; i < 2_000; i++) for (const ids of threads) seen.add(ids.next());
      await log.close();
    }
    expect(seen.size).toBe(5 * 3 * 2_000);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...seen)).toBeLessThan(2 ** 53);
  });

  test('over kills while blocks are being taken', async () => {
    const seen: number[] = [];
    for (let kill = 0; kill < 4; kill++) {
      const child = spawnTaker();
      const exited = once(child, 'exit');
      let blocks = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        seen.push(Number(line));
        if (++blocks === 10 + kill) child.kill('SIGKILL');
      }
      expect((await exited)[1]).toBe('SIGKILL');
    }
    const log = RequestLog.open(folder, 1, fail);
    seen.push(await log.allocateBlock());
    await log.close();
    expect(seen.length).toBeGreaterThan(40);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.every(first => first % LOG_BLOCK_IDS === 0 && first > 0)).toBe(true);
  });
});

/** A process that takes blocks without end and prints the first id of each. */
function spawnTaker(): ChildProcessByStdio<null, Readable, null> {
  const script = `
    import { writeSync } from 'node:fs';
    const { RequestLog } = await import(process.argv[1]);
    const log = RequestLog.open(process.argv[2], 1, error => { throw error; });
    for (;;) for (const first of await Promise.all([log.allocateBlock(), log.allocateBlock()])) writeSync(1, first + '\\n');
  `;
  const module = new URL('../../../src/tables/requests/request_log.ts', import.meta.url).href;
  return spawn(process.execPath, ['--input-type=module', '-e', script, module, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
