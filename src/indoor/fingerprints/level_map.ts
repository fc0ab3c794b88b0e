// What the map of a building knows of one radio, place by place: for pictures.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import type { MapColumns } from './map_record.ts';
import { LEVEL_OF_STORED } from './strength.ts';

/** A place of the map. */
interface LevelPlace {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Mean level, dBm; undefined where the radio was not heard. */
  levelDbm: number | undefined;
}

interface MapRadio {
  radio: number;
  /** Places at which it was heard. */
  places: number;
}

/** All places of a floor with the level of a radio. */
export function levelsOfRadio(map: MapColumns, radio: number, floor: number): LevelPlace[] {
  const { latitude, longitude, east, north, firstLevel, levelPlace, levelStrength } = map;
  const levels = new Map<number, number>();
  const r = map.radio.indexOf(radio);
  for (let i = firstLevel[r] ?? 0; r >= 0 && i < firstLevel[r + 1]; i++)
    levels.set(levelPlace[i], LEVEL_OF_STORED[levelStrength[i]]);
  const eastDegree = METRES_PER_DEGREE * Math.cos(latitude * RADIANS_PER_DEGREE);
  const places: LevelPlace[] = [];
  for (let place = 0; place < east.length; place++) {
    if (map.floor[place] !== floor) continue;
    places.push({
      latitude: latitude + north[place] / METRES_PER_DEGREE,
      longitude: longitude + east[place] / eastDegree,
      levelDbm: levels.get(place),
    });
  }
  return places;
}

/** The radios that are heard on a floor, those heard at the most places first. */
export function radiosOfFloor(map: MapColumns, floor: number): MapRadio[] {
  const found: MapRadio[] = [];
  for (const [r, radio] of map.radio.entries()) {
    let places = 0;
    for (let i = map.firstLevel[r]; i < map.firstLevel[r + 1]; i++)
      if (map.floor[map.levelPlace[i]] === floor) places++;
    if (places > 0) found.push({ radio, places });
  }
  return found.sort((a, b) => b.places - a.places);
}
