// Cells that no table holds, with every fallback that a request may opt in to, alone and together.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { CELLS, type DrawnCell } from '../world/cells.ts';
import { TOWNS } from '../world/geography.ts';
import { cellMembers, hearAccessPoints, hearCells, type Members } from '../world/hearing.ts';
import { NEIGHBOURHOODS } from '../world/radios.ts';
import { GARBAGE, post } from './ask.ts';

/** Every fallback, in the order in which they are tried. */
export const FALLBACKS = ['w4f', 'nbcidf', 'cidf', 'mncf', 'ratf', 'rncidf', 'lacf', 'cidxf'] as const;

const UNKNOWN = CELLS.filter(({ isKnown }) => !isKnown);
const KNOWN = CELLS.filter(({ isKnown }) => isKnown);

/** How a request misses a cell, by the fallback that may find it. */
const MISSES: Record<(typeof FALLBACKS)[number], (dice: Dice) => Members> = {
  w4f: dice => {
    const cell = dice.pick(KNOWN.filter(({ radioType }) => radioType === 'wcdma'));
    return { ...cellMembers(cell), cellId: cell.cellId % 65_536 };
  },
  nbcidf: dice => cellMembers(dice.pick(UNKNOWN)),
  cidf: dice => ({ ...cellMembers(dice.pick(KNOWN)), locationAreaCode: dice.pick([999, 1000, 2001, 3]) }),
  mncf: dice => ({ ...cellMembers(dice.pick(twins('mobileNetworkCode'))), mobileNetworkCode: 1 }),
  ratf: dice => ({ ...cellMembers(dice.pick(twins('radioType'))), radioType: 'lte' }),
  rncidf: dice => {
    const cell = dice.pick(KNOWN.filter(({ radioType }) => radioType === 'wcdma'));
    return {
      ...cellMembers(cell),
      cellId: cell.cellId + dice.whole(30_000, 50_000),
      locationAreaCode: dice.pick([cell.locationAreaCode, 999]),
    };
  },
  lacf: dice => ({ ...cellMembers(dice.pick(KNOWN)), cellId: dice.whole(1, 65_535) }),
  cidxf: dice => ({
    ...cellMembers(dice.pick(KNOWN)),
    mobileNetworkCode: dice.pick([3, 4, 7]),
    locationAreaCode: dice.pick([1, 1001, 77]),
  }),
};

const TWINS = new Map<string, DrawnCell[]>();

/** Cells whose identity another one has but for this member. */
function twins(member: 'mobileNetworkCode' | 'radioType'): readonly DrawnCell[] {
  let found = TWINS.get(member);
  if (found === undefined) {
    const rest = (cell: DrawnCell): string => JSON.stringify({ ...cellMembers(cell), [member]: 0 });
    const missing = new Set(UNKNOWN.map(rest));
    found = KNOWN.filter(cell => (member === 'radioType' || cell.mobileNetworkCode === 7) && missing.has(rest(cell)));
    TWINS.set(member, found);
  }
  return found;
}

/** All of them. */
export function* fallbackRequests(): Generator<CorpusRequest> {
  const dice = new Dice(301);
  for (const fallback of FALLBACKS) {
    for (let i = 0; i < 60; i++) {
      const cellTowers = [{ ...MISSES[fallback](dice), signalStrength: dice.whole(-110, -60) }];
      if (dice.chance(0.3)) cellTowers.push({ ...cellTowers[0], ...MISSES[dice.pick(FALLBACKS)](dice) });
      if (dice.chance(0.1)) delete (cellTowers[0] as Members).locationAreaCode;
      yield post({ cellTowers, fallbacks: { [fallback]: 1 } });
    }
  }
  for (let i = 0; i < 300; i++)
    yield post({ cellTowers: [MISSES[dice.pick(FALLBACKS)](dice)], fallbacks: flags(dice) });
  for (let i = 0; i < 120; i++) {
    const town = dice.whole(0, TOWNS.length - 1);
    const cellTowers = hearCells(dice, town, TOWNS[town], dice.whole(1, 4), { isKnown: false });
    const wifiAccessPoints = hearAccessPoints(dice, NEIGHBOURHOODS[town], TOWNS[town], 1);
    yield post({
      cellTowers,
      fallbacks: flags(dice),
      ...(dice.chance(0.3) && { wifiAccessPoints }),
      ...(dice.chance(0.3) && { confidence: 95 }),
    });
  }
  const cellTowers = [MISSES.nbcidf(dice)];
  for (const value of [0, 1, 2, '0', '1', ...GARBAGE]) yield post({ cellTowers, fallbacks: { all: value } });
  for (const value of [0, 1, 'x', null]) yield post({ cellTowers, fallbacks: { all: 1, nbcidf: value, lacf: value } });
}

function flags(dice: Dice): Members {
  const asked: Members = {};
  if (dice.chance(0.6)) asked.all = dice.pick([1, 1, 1, 0]);
  for (const fallback of FALLBACKS) if (dice.chance(0.2)) asked[fallback] = dice.whole(0, 1);
  return asked;
}
