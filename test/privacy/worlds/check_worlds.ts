// Checks many small worlds, in a data folder of their own.

import { StationFolder } from '../../kits/radio/station_folder.ts';
import { checkWorld, type Tried } from './oracle.ts';
import { WorldAsker } from './small_world.ts';

/** Worlds after which the memory of guesses is begun anew, so that it is never full. */
export const WORLDS_A_FOLDER = 100;

/**
 * Checks worlds.
 * @param first seed of the first
 * @param onWorlds is told how many are checked
 */
export async function checkWorlds(
  first: number,
  count: number,
  onWorlds: (checked: number) => void = () => {},
): Promise<{ broken: string[]; tried: Tried }> {
  const tried: Tried = { isolated: 0, atPlaces: 0, differing: 0, found: 0, withoutOne: 0 };
  const broken: string[] = [];
  for (let from = 0; from < count; from += WORLDS_A_FOLDER) {
    const folder = await StationFolder.open();
    try {
      const asker = new WorldAsker(folder.cache, folder.locator);
      const to = Math.min(count, from + WORLDS_A_FOLDER);
      for (let world = from; world < to; world++) broken.push(...checkWorld(asker, first + world, tried));
      onWorlds(to);
    } finally {
      await folder.close();
    }
  }
  return { broken, tried };
}
