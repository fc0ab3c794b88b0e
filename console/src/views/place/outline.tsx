// The map of a place: its outline, and the point that stands for it.

import type { GeoJSONSourceSpecification } from 'maplibre-gl';
import { useEffect, useState } from 'preact/hooks';
import type { BaseMap, Overlay } from '../../map/base_map.ts';
import { MapPane } from '../../map/map_pane.tsx';
import { accentOf, accentPoints } from '../../map/shapes.ts';
import { strings } from '../../strings.ts';
import { boxOf } from '../map/place.ts';
import type { Place } from './place_address.ts';

const NAME = 'place-outline';
const PADDING = 48;
const ZOOM_MAX = 17;

/** The map. */
export function OutlineMap({ place }: { place: Place }) {
  const [base, setBase] = useState<BaseMap>();
  useEffect(() => {
    if (base === undefined) return;
    base.setOverlay(NAME, overlayOf(place));
    base.map.fitBounds(boxOf(place), { padding: PADDING, maxZoom: ZOOM_MAX, animate: false });
  }, [base, place]);
  return (
    <MapPane
      label={strings.place.map}
      centre={[Number(place.lon), Number(place.lat)]}
      zoom={ZOOM_MAX}
      onReady={opened => {
        setBase(opened);
        return undefined;
      }}
    />
  );
}

function overlayOf({ geojson, lat, lon }: Place): Overlay {
  const shapes = [geojson, { type: 'Point', coordinates: [Number(lon), Number(lat)] }].filter(
    each => each !== undefined,
  );
  const features = shapes.map(geometry => ({ type: 'Feature', properties: {}, geometry }));
  const data = { type: 'FeatureCollection', features } as GeoJSONSourceSpecification['data'];
  return {
    sources: { [NAME]: { type: 'geojson', data } },
    layers: isDark => {
      const accent = accentOf(isDark);
      return [
        {
          id: 'place-area',
          type: 'fill',
          source: NAME,
          filter: ['==', ['geometry-type'], 'Polygon'],
          paint: { 'fill-color': accent, 'fill-opacity': 0.12 },
        },
        {
          id: 'place-line',
          type: 'line',
          source: NAME,
          filter: ['!=', ['geometry-type'], 'Point'],
          paint: { 'line-color': accent, 'line-width': 2.5 },
        },
        accentPoints('place-point', NAME, isDark),
      ];
    },
  };
}
