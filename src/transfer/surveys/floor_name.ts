// The index of a floor by what surveys and lifts call it. `F1` and `L1` are the ground level, as where walks come from:
// there floors are counted from 1.

const GROUND = /^(g|gf|ground)$/i;
const BASEMENT = /^b(\d{1,2})$/i;
const FROM_ONE = /^[fl](\d{1,3})$/i;
const INDEX = /^-?\d{1,3}$/;

/**
 * The index of a floor: `B1` is -1, `G`, `F1` and `L1` are 0, `F3` is 2; a number is the index itself.
 * @returns undefined for any other name
 */
export function floorIndexOf(name: string): number | undefined {
  if (GROUND.test(name)) return 0;
  if (INDEX.test(name)) return Number(name);
  const basement = BASEMENT.exec(name);
  if (basement !== null && Number(basement[1]) > 0) return -Number(basement[1]);
  const floor = FROM_ONE.exec(name);
  return floor !== null && Number(floor[1]) > 0 ? Number(floor[1]) - 1 : undefined;
}
