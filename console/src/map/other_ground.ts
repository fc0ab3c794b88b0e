// Another map for the ground, which the operator has named with `--map`: a file of tiles (PMTiles), of which ranges are
// read, or tiles by their numbers. Pictures are shown as they are. Vector tiles get our look: their layers are
// recognised by the names that OpenMapTiles, Shortbread, Protomaps and our own tiles give them.

import { addProtocol, type LayerSpecification, type SourceSpecification, type StyleSpecification } from 'maplibre-gl';
import { PMTiles, Protocol, TileType } from 'pmtiles';
import { FONTS, GROUND, type Palette, paletteOf } from './base_style.ts';

/** Names of layers by what they show. */
const LAYERS = {
  land: ['earth', 'land', 'landcover', 'landuse'],
  water: ['water', 'ocean', 'water_polygons'],
  waterway: ['waterway', 'water_lines'],
  building: ['buildings', 'building'],
  road: ['roads', 'transportation', 'streets', 'road'],
  boundary: ['boundaries', 'boundary'],
  roadName: ['roads', 'transportation_name', 'street_labels', 'road'],
  place: ['places', 'place', 'place_labels'],
} as const;
/** Layers that cover the land; without one the ground itself is land. */
const WHOLE_LAND = ['earth', 'land'];
const RASTER_PIXELS = 256;

let protocol: Protocol | undefined;

/** The ground of another map, in both themes. @param address as `GET /map` has it */
export async function otherGround(address: string): Promise<(isDark: boolean) => StyleSpecification> {
  const url = address.startsWith('/') ? location.origin + address : address;
  const { source, names } = url.includes('{z}') ? tilesOf(url) : await fileOf(url);
  return isDark => {
    const palette = paletteOf(isDark);
    const isSea = names === undefined ? false : WHOLE_LAND.some(name => names.includes(name));
    return {
      version: 8,
      transition: { duration: 0, delay: 0 },
      sources: { [GROUND]: source },
      layers: [
        { id: 'ground', type: 'background', paint: { 'background-color': isSea ? palette.water : palette.land } },
        ...(names === undefined
          ? [{ id: 'pictures', type: 'raster', source: GROUND } as const]
          : drawn(palette, names)),
      ],
    };
  };
}

interface Tiles {
  source: SourceSpecification;
  /** Names of its layers; undefined for pictures. */
  names: readonly string[] | undefined;
}

/** A template of addresses says by its end what the tiles are. */
function tilesOf(url: string): Tiles {
  const isVector = /\.(mvt|pbf)(\?|$)/.test(url);
  const all = Object.values(LAYERS).flat();
  return isVector
    ? { source: { type: 'vector', tiles: [url] }, names: all }
    : { source: { type: 'raster', tiles: [url], tileSize: RASTER_PIXELS }, names: undefined };
}

async function fileOf(url: string): Promise<Tiles> {
  const file = new PMTiles(url);
  if (protocol === undefined) {
    // The file says whose data it has; MapLibre takes no scripts from there.
    protocol = new Protocol({ metadata: true });
    addProtocol('pmtiles', protocol.tile);
  }
  protocol.add(file);
  const { tileType } = await file.getHeader();
  const source = { url: `pmtiles://${url}` };
  if (tileType !== TileType.Mvt)
    return { source: { ...source, type: 'raster', tileSize: RASTER_PIXELS }, names: undefined };
  const { vector_layers: layers = [] } = (await file.getMetadata()) as { vector_layers?: { id: string }[] };
  return { source: { ...source, type: 'vector' }, names: layers.map(({ id }) => id) };
}

function drawn(palette: Palette, names: readonly string[]): LayerSpecification[] {
  const of = (kind: keyof typeof LAYERS) =>
    LAYERS[kind]
      .filter(name => names.includes(name))
      .map(name => ({ id: `${kind} ${name}`, source: GROUND, 'source-layer': name }));
  const isArea = ['==', ['geometry-type'], 'Polygon'] as ['==', ...unknown[]] as never;
  const isLine = ['==', ['geometry-type'], 'LineString'] as never;
  const label = { 'text-field': ['get', 'name'], 'text-font': ['Regular', ...FONTS], 'text-size': 12 } as never;
  const halo = { 'text-halo-color': palette.halo, 'text-halo-width': 1.5 };
  const line = (color: string, width: number) => ({ 'line-color': color, 'line-width': width });
  return [
    ...of('land').map(each => ({ ...each, type: 'fill', filter: isArea, paint: { 'fill-color': palette.land } })),
    ...of('water').map(each => ({ ...each, type: 'fill', filter: isArea, paint: { 'fill-color': palette.water } })),
    ...of('waterway').map(each => ({ ...each, type: 'line', filter: isLine, paint: line(palette.water, 1.5) })),
    ...of('building').map(each => ({
      ...each,
      type: 'fill',
      filter: isArea,
      paint: { 'fill-color': palette.building },
    })),
    ...of('road').map(each => ({
      ...each,
      id: `${each.id} edge`,
      type: 'line',
      filter: isLine,
      paint: line(palette.casing, 4),
    })),
    ...of('road').map(each => ({ ...each, type: 'line', filter: isLine, paint: line(palette.street, 2.5) })),
    ...of('boundary').map(each => ({ ...each, type: 'line', filter: isLine, paint: line(palette.boundary, 1) })),
    ...of('roadName').map(each => ({
      ...each,
      type: 'symbol',
      minzoom: 13,
      layout: { ...(label as object), 'symbol-placement': 'line' },
      paint: { 'text-color': palette.minorName, ...halo },
    })),
    ...of('place').map(each => ({
      ...each,
      type: 'symbol',
      layout: label,
      paint: { 'text-color': palette.name, ...halo },
    })),
  ] as LayerSpecification[];
}
