// Cells of the drawn world. Each town has two networks of four areas, each area twelve sites with cells of all radio
// types of its country, numbered as real networks number them:
//
//   lte, nbiot    eNodeB * 256 + sector; nbiot has the sectors 4 and 5 of the same eNodeBs
//   wcdma         RNC * 65536 + cell; an RNC for each area
//   gsm           numbers that rise from site to site
//   nr            gNodeB * 4096 + sector
//   cdma          in the United States: system, network and base station, whatever the country
//
// A fifth of them is drawn and not imported: requests that hear those have to fall back. A third network has some of
// the first one's identities, and some nbiot cells those of lte cells, for the fallbacks to other networks and radio
// types.

import { Dice } from '../dice.ts';
import { moved, near, type Spot, TOWNS } from './geography.ts';

export type RadioType = 'gsm' | 'cdma' | 'wcdma' | 'lte' | 'nbiot' | 'nr';

/** A cell as requests name it, where it stands, and whether it was imported. */
export interface DrawnCell extends Spot {
  radioType: RadioType;
  mobileCountryCode: number;
  mobileNetworkCode: number;
  locationAreaCode: number;
  cellId: number;
  /** Number of its town. */
  town: number;
  isKnown: boolean;
}

const NETWORKS = [1, 2];
/** Shares areas and ids with network 1. */
const TWIN_NETWORK = 7;
const AREAS = 4;
const SITES = 12;
const AREA_METRES = 3000;
const KNOWN_SHARE = 0.8;
const TWIN_SHARE = 0.15;
const NAME_IN_FILE: Record<RadioType, string> = {
  gsm: 'GSM',
  cdma: 'CDMA',
  wcdma: 'UMTS',
  lte: 'LTE',
  nbiot: 'NBIOT',
  nr: 'NR',
};
const RANGE_METRES: Record<RadioType, number> = { gsm: 1500, cdma: 1500, wcdma: 900, lte: 700, nbiot: 1000, nr: 400 };
const UNITED_STATES = 310;

/** All cells. */
export const CELLS: readonly DrawnCell[] = drawCells();

/** The file of cells, in the columns of OpenCelliD. */
export function cellsCsv(): string {
  const dice = new Dice(12);
  const rows = CELLS.filter(({ isKnown }) => isKnown).map(cell => {
    const { radioType, mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: lac, cellId, lat, lng } = cell;
    const range = Math.round(RANGE_METRES[radioType] * dice.between(0.5, 1.5));
    const code = radioType === 'gsm' || radioType === 'cdma' ? '' : cellId % 504;
    return `${NAME_IN_FILE[radioType]},${mcc},${mnc},${lac},${cellId},${code},${lng},${lat},${range},${dice.whole(1, 60)},1,1700000000,1750000000,`;
  });
  return `radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal\n${rows.join('\n')}\n`;
}

function drawCells(): DrawnCell[] {
  const dice = new Dice(11);
  const cells: DrawnCell[] = [];
  for (const [town, { mcc, ...middle }] of TOWNS.entries()) {
    for (const network of NETWORKS) {
      for (let area = 0; area < AREAS; area++) {
        const corner = moved(middle, (area >> 1 ? 1 : -1) * AREA_METRES, (area & 1 ? 1 : -1) * AREA_METRES);
        for (let site = 0; site < SITES; site++) {
          const spot = near(dice, corner, AREA_METRES);
          for (const [radioType, cellId] of idsOfSite(mcc, network * 40 + area * 10, area * SITES + site)) {
            const sector = near(dice, spot, RANGE_METRES[radioType] / 4);
            const isKnown = dice.chance(KNOWN_SHARE);
            const identity = {
              radioType,
              mobileCountryCode: mcc,
              locationAreaCode: 1000 * network + area,
              cellId,
              town,
            };
            cells.push({ ...identity, mobileNetworkCode: network, ...sector, isKnown });
            if (network !== NETWORKS[0] || isKnown || !dice.chance(TWIN_SHARE * 5)) continue;
            if (dice.chance(0.4))
              cells.push({ ...identity, mobileNetworkCode: TWIN_NETWORK, ...near(dice, spot, 200), isKnown: true });
            else if (radioType === 'lte')
              cells.push({
                ...identity,
                radioType: 'nbiot',
                mobileNetworkCode: network,
                ...near(dice, spot, 200),
                isKnown: true,
              });
          }
        }
      }
    }
  }
  return cells;
}

/** @param region number of the area over all networks; @param site number of the site in its network */
function idsOfSite(mcc: number, region: number, site: number): [RadioType, number][] {
  const station = 100_000 + region * 100 + site;
  const ids: [RadioType, number][] = [1, 2, 3].map(sector => ['lte', station * 256 + sector]);
  for (const sector of [1, 2, 3]) ids.push(['wcdma', (200 + region) * 65_536 + site * 210 + sector]);
  ids.push(
    ['nbiot', station * 256 + 4],
    ['nbiot', station * 256 + 5],
    ['nr', station * 4096 + 1],
    ['nr', station * 4096 + 2],
  );
  if (mcc === UNITED_STATES) ids.push(['cdma', region * 100 + site], ['cdma', 30_000 + region * 100 + site]);
  else
    ids.push(
      ['gsm', 2000 + site * 37 + region],
      ['gsm', 2001 + site * 37 + region],
      ['gsm', 2002 + site * 37 + region],
    );
  return ids;
}
