import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { evaluateHidden } from '../../lab/hidden_cells.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

interface Asked {
  cellTowers: [{ radioType: string; mobileCountryCode: number; locationAreaCode: number; cellId: number }];
  fallbacks: Record<string, number>;
  confidence?: number;
}

/** The other end: answers every question by `answer`, or with nothing found. */
async function evaluated(rows: readonly string[], answer: (asked: Asked) => object | undefined) {
  const file = join(temporaryFolder(), 'cells.csv.gz');
  writeFileSync(file, gzipSync(`${rows.join('\n')}\n`));
  const asked: Asked[] = [];
  let shown = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const question = JSON.parse(Buffer.concat(chunks).toString());
    asked.push(question);
    const found = answer(question);
    response.writeHead(found === undefined ? 404 : 200);
    response.end(JSON.stringify(found ?? { error: { errors: [{ reason: 'notFound' }] } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const results = await evaluateHidden({
      files: [file],
      withService: async (cells: Readable, part) => {
        shown = (await cells.toArray()).join('');
        return part({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'k' });
      },
      onProgress: () => {},
    });
    return { results, asked, shown };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Cells of 52 degrees north, 5 degrees east. The hashes of these numbers are what they are. */
const row = (radio: string, cell: number, samples = 9) =>
  `${radio},204,8,5,${cell},0,5,52,500,${samples},1,0,1700000000,0`;
const LTE = Array.from({ length: 200 }, (_, i) => row('LTE', 256_000 + i));
const at = (lat: number, lng: number, accuracy: number, fallback?: string) => ({
  location: { lat, lng },
  accuracy,
  fallback,
});

test(
  'about a fifth is hidden and asked for by each flag, the rest is shown; few samples and the header are never ' +
    'hidden',
  async () => {
    const few = [
      row('LTE', 1, 4),
      row('LTE', 2, 4),
      row('LTE', 3, 4),
      row('LTE', 4, 4),
      row('LTE', 5, 4),
      row('LTE', 6, 4),
    ];
    const header = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal';
    const { results, asked, shown } = await evaluated([header, ...LTE, ...few], () => undefined);
    const all = asked.filter(({ fallbacks }) => fallbacks.all === 1);
    expect(all.length).toBeGreaterThan(20);
    expect(all.length).toBeLessThan(60);
    for (const { cellTowers } of all) {
      expect(cellTowers).toMatchObject([{ radioType: 'lte', mobileCountryCode: 204, locationAreaCode: 5 }]);
      expect(shown).not.toContain(row('LTE', cellTowers[0].cellId));
    }
    expect(shown.split('\n')).toHaveLength(1 + LTE.length + few.length - all.length + 1);
    for (const line of [header, ...few]) expect(shown).toContain(line);
    expect(results.map(({ radio, fallback }) => `${radio} ${fallback}`)).toEqual(
      ['lte', 'any'].flatMap(radio =>
        ['all', 'nbcidf', 'cidf', 'mncf', 'ratf', 'rncidf', 'lacf', 'cidxf'].map(flag => `${radio} ${flag}`),
      ),
    );
    for (const result of results)
      expect(result).toMatchObject({ answered: 0, median: null, insideShare: null, farShare: null });
  },
);

test('errors, far answers, answers abroad and truths inside the radius are counted', async () => {
  const answers = [
    at(52, 5, 10, 'lacf'),
    at(52.001, 5, 50, 'nbcidf'),
    at(51.2, 5, 10, 'lacf'),
    at(48.86, 2.35, 10, 'lacf'),
  ];
  // Of the answers a quarter has no error, one lies within its radius of 95 %, the others far off.
  const order = new Map<number, number>();
  const { results } = await evaluated(LTE, ({ fallbacks, confidence, cellTowers: [{ cellId }] }) => {
    if (!order.has(cellId)) order.set(cellId, order.size % 4);
    const answer = answers[order.get(cellId)!];
    if (fallbacks.all !== 1) return undefined;
    return confidence === 95 ? { ...answer, accuracy: 150 } : answer;
  });
  const [all] = results;
  const quarters = (count: number) => Math.abs(count / all.answered - 0.25);
  expect(all.answered).toBe(all.tested);
  expect(all.farShare).toBeCloseTo(0.5, 1);
  expect(quarters(all.insideShare! * all.answered)).toBeLessThan(0.05);
  expect(all.inside68Share).toBe(all.insideShare);
  expect(all.inside95Share).toBeCloseTo(0.5, 1);
  expect(all.p90).toBeGreaterThan(80_000);
  expect(quarters(all.named.nbcidf)).toBeLessThan(0.05);
  // 51.2 north, 5 east is Belgium.
  expect(all.abroad / all.answered).toBeCloseTo(0.5, 1);
});

test('w4f is asked for cells that are shown, by the 16 low bits; an answer without a fallback does not count', async () => {
  const wcdma = Array.from({ length: 200 }, (_, i) => row('UMTS', 20 * 65_536 + 1000 + i));
  const { results, asked, shown } = await evaluated(wcdma, ({ fallbacks }) =>
    fallbacks.w4f === 1 ? at(52, 5, 10) : undefined,
  );
  const short = asked.filter(({ fallbacks, confidence }) => fallbacks.w4f === 1 && confidence === undefined);
  expect(short.length).toBeGreaterThan(20);
  for (const { cellTowers } of short) {
    expect(cellTowers[0].cellId).toBeLessThan(65_536);
    expect(shown).toContain(row('UMTS', 20 * 65_536 + cellTowers[0].cellId));
  }
  expect(results.find(({ fallback }) => fallback === 'w4f')).toMatchObject({
    radio: 'wcdma',
    tested: short.length,
    answered: 0,
  });
});

test('a table with nothing to hide is refused', async () => {
  await expect(evaluated([row('LTE', 1, 4)], () => undefined)).rejects.toThrow('holds no cell of 5 samples or more');
});
