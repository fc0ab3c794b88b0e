import { expect, test } from 'vitest';
import { capacityTable } from '../../../bench/cluster/lookups.ts';
import { type Loss, lossTable, plotLoss } from '../../../bench/cluster/loss.ts';

test('three nodes carry three times what a machine alone does, less what reports cost all of them', () => {
  const costs = {
    alone: [20, 20],
    nodes: [
      [20, 20],
      [25, 25],
      [30, 30],
    ],
  };
  const { rows } = capacityTable(costs, { alone: 200, node: 400 }, []);
  const [name, idle, toAlone, , besideHundred] = rows[3];
  expect([name, toAlone, besideHundred]).toEqual(['3', '3.00', ((3 * 0.96) / 0.98).toFixed(2)]);
  // Pauses of the machine leave less than all of its time.
  expect(Number(idle)).toBeGreaterThan((0.5 * 3 * 1e6) / 20);
  expect(Number(idle)).toBeLessThan((3 * 1e6) / 20);
  expect(rows.map(row => row.at(-1))).toEqual(['0', '0', rows[1][1], rows[2][1]]);
});

test('latencies belong to the phase in which a lookup was sent', () => {
  const lookup = (atMs: number, tookMs: number, isAnswered = true) => ({ atMs, tookMs, isAnswered });
  const phasesMs = [0, 1_000, 2_000, 3_000, 4_000];
  const lookups = [0, 1, 2, 3, 4].flatMap(phase =>
    [1, 2, 3].map(ms => lookup(phase * 1_000 + ms, phase === 3 ? 100 * ms : ms, phase !== 3 || ms < 3)),
  );
  const loss: Loss = { lookups, phasesMs };
  const { rows } = lossTable(loss, []);
  expect(rows[1]).toEqual(['the learner is killed', '3', '2.0', '3.0', '3.0', '0', '0']);
  expect(rows[3]).toEqual(['a node hangs (SIGSTOP)', '3', '200.0', '298.0', '300.0', '3', '1']);
  const picture = plotLoss(loss);
  expect(picture).toContain('the learner is killed');
  expect(picture).toMatch(/^<svg /);
});
