// The rows of a table on the map: the better a row is known, the smaller and fuller its point. Sizes and rims tell it
// without the colours.

import { useEffect, useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import type { BaseMap, LongitudeLatitude, Overlay } from '../../map/base_map.ts';
import { MapPane } from '../../map/map_pane.tsx';
import { strings } from '../../strings.ts';

const text = strings.tables;
const NAME = 'table-rows';
const PADDING = 48;
const ZOOM_MAX = 16;
const WORLD: LongitudeLatitude = [0, 20];
const HOUSE_METRES = 100;
const STREET_METRES = 1_000;

/** How well a row is known. */
export type Grade = keyof typeof text.qualities;
type Row = AdminSchemas['TableRows']['rows'][number];

const GRADES = Object.keys(text.qualities) as Grade[];
const SIZES: Readonly<Record<Grade, number>> = { exact: 5, near: 7, far: 9 };
const COLOURS = {
  light: { exact: '#13693a', near: '#1d4ed8', far: '#855000' },
  dark: { exact: '#7fd6a0', near: '#8ab0ff', far: '#f0c06a' },
};

/** The grade of a row; undefined where nothing was found. */
export function gradeOf({ radius, quality }: Row): Grade | undefined {
  if (radius === undefined) return undefined;
  if (quality === 'house' || radius <= HOUSE_METRES) return 'exact';
  return quality === 'street' || radius <= STREET_METRES ? 'near' : 'far';
}

/** The map and its legend. */
export function RowsMap({ rows }: { rows: readonly Row[] }) {
  const [base, setBase] = useState<BaseMap>();
  useEffect(() => {
    if (base === undefined) return;
    base.setOverlay(NAME, overlayOf(rows));
    const points = rows.flatMap(({ latitude, longitude }) => (latitude === undefined ? [] : [[longitude!, latitude]]));
    if (points.length === 0) return;
    const [longitudes, latitudes] = [0, 1].map(i => points.map(point => point[i]));
    base.map.fitBounds(
      [
        [Math.min(...longitudes), Math.min(...latitudes)],
        [Math.max(...longitudes), Math.max(...latitudes)],
      ],
      { padding: PADDING, maxZoom: ZOOM_MAX, animate: false },
    );
  }, [base, rows]);
  return (
    <>
      <MapPane
        label={text.map}
        centre={WORLD}
        zoom={1}
        onReady={opened => {
          setBase(opened);
          return undefined;
        }}
      />
      <ul class="tables-legend">
        {GRADES.map(grade => (
          <li key={grade}>
            <svg class={`tables-mark tables-${grade}`} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
              <circle cx="10" cy="10" r={SIZES[grade]} />
            </svg>
            {text.qualities[grade]}
          </li>
        ))}
      </ul>
    </>
  );
}

function overlayOf(rows: readonly Row[]): Overlay {
  const features = rows.flatMap(row => {
    const grade = gradeOf(row);
    if (grade === undefined) return [];
    const geometry = { type: 'Point' as const, coordinates: [row.longitude!, row.latitude!] };
    return { type: 'Feature' as const, properties: { grade, size: SIZES[grade] }, geometry };
  });
  return {
    sources: { [NAME]: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    layers: isDark => {
      const { exact, near, far } = isDark ? COLOURS.dark : COLOURS.light;
      const colour: unknown = ['match', ['get', 'grade'], 'exact', exact, 'near', near, far];
      return [
        {
          id: 'table-points',
          type: 'circle',
          source: NAME,
          paint: {
            'circle-radius': ['get', 'size'],
            'circle-color': colour as string,
            'circle-opacity': ['match', ['get', 'grade'], 'exact', 1, 'near', 0.5, 0.15],
            'circle-stroke-color': colour as string,
            'circle-stroke-width': 2,
          },
        },
      ];
    },
  };
}
