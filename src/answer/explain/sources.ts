// Names the sources that list the stations of an explanation, for operators: which import has brought a station.

import { parseStation } from '../../radio/station_name.ts';
import { holdersOfEach } from '../../tables/sources/listed_stations.ts';
import { readSources } from '../../tables/sources/sources.ts';
import { openLiveGeneration } from '../../tables/stations/generation.ts';
import type { ExplainedStation, Explanation } from './explanation.ts';

/**
 * The explanation with the sources of each station that is known. @param folder data folder @throws Error when a source
 * cannot be read
 */
export async function withSources(folder: string, explanation: Explanation): Promise<Explanation> {
  const generation = openLiveGeneration(folder);
  if (generation === undefined) return explanation;
  try {
    const { stations } = explanation;
    // Sources list cells and access points.
    const isListed = ({ list, known }: ExplainedStation) => known !== undefined && list !== 'bluetoothBeacons';
    const keys = stations.map(each => (each.station !== undefined && isListed(each) ? parseStation(each.station) : []));
    const names = holdersOfEach(folder, readSources(generation), keys);
    return {
      ...explanation,
      stations: stations.map((each, i) =>
        names[i].length === 0 ? each : { ...each, known: { ...each.known!, sources: names[i] } },
      ),
    };
  } finally {
    await generation.root.close();
  }
}
