// Stations in a box. Those of a tile are neighbours in the index (place_order.ts), and a box lies in at most four tiles
// of the zoom at which one is as large as it, so four ranges are looked through.

import type { Box } from '../../geo/box.ts';
import { worldPointOf } from './place_order.ts';
import type { StationColumns } from './station_columns.ts';

/**
 * Numbers of the stations in a box, in an order that stays while the index does.
 * @param columns sorted
 * @param box degrees; its west is not east of its east
 */
export function* stationsInBox(columns: StationColumns, box: Box): Generator<number, void, undefined> {
  const { x: west, y: north } = worldPointOf(box.north, box.west);
  const { x: east, y: south } = worldPointOf(box.south, box.east);
  let side = 1;
  while (side < east - west || side < south - north) side *= 2;
  for (let y = north - (north % side); y <= south; y += side) {
    for (let x = west - (west % side); x <= east; x += side) {
      const end = columns.firstAfter({ x: x + side - 1, y: y + side - 1 });
      for (let at = columns.firstFrom({ x, y }); at < end; at++) {
        const point = columns.point(at);
        if (point.x >= west && point.x <= east && point.y >= north && point.y <= south) yield at;
      }
    }
  }
}
