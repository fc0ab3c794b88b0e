// The land of the world as one sees it from afar (Natural Earth at 1:110,000,000, public domain, in world-atlas): what
// the map shows where the tiles of the service are not there yet. It is a file of the page.

import type { GeoJSONSourceSpecification } from 'maplibre-gl';
import address from 'world-atlas/land-110m.json?url';

/** Lines of steps on a grid, each from the end of the one before it, of which rings are put together. */
interface Topology {
  arcs: [number, number][][];
  transform: { scale: [number, number]; translate: [number, number] };
  /** Numbers of arcs; `~n` is arc n backwards. */
  objects: { land: { geometries: [{ arcs: number[][][] }] } };
}

type Points = [longitude: number, latitude: number][];

let land: Promise<GeoJSONSourceSpecification['data']> | undefined;

/** The land as GeoJSON; it is read once. @throws TypeError when the service does not answer */
export function coarseLand(): Promise<GeoJSONSourceSpecification['data']> {
  land ??= readLand();
  return land;
}

async function readLand(): Promise<GeoJSONSourceSpecification['data']> {
  const { arcs, transform, objects }: Topology = await (await fetch(address)).json();
  const [scale, translate] = [transform.scale, transform.translate];
  const lines = arcs.map((arc): Points => {
    let [x, y] = [0, 0];
    return arc.map(([stepX, stepY]) => {
      x += stepX;
      y += stepY;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
  const ringOf = (numbers: number[]): Points =>
    numbers.flatMap((arc, i) => (arc < 0 ? lines[~arc].toReversed() : lines[arc]).slice(i === 0 ? 0 : 1));
  return { type: 'MultiPolygon', coordinates: objects.land.geometries[0].arcs.map(rings => rings.map(ringOf)) };
}
