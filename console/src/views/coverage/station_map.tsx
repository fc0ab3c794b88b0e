// The map of stations, with what chooses among them and what its colours mean.

import type { MapGeoJSONFeature, MapMouseEvent } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import type { BaseMap, LongitudeLatitude } from '../../map/base_map.ts';
import { MapPane } from '../../map/map_pane.tsx';
import { isDark } from '../../state/theme.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast.tsx';
import {
  chosenOverlay,
  DENSITY_OPACITY,
  DENSITY_STEPS,
  KIND_COLOURS,
  MISS_COLOURS,
  missesOverlay,
  POINTS,
  SQUARES,
  type StationChoice,
  stationsOverlay,
} from './stations_overlay.ts';

const text = strings.coverage.map;
const CELLS = ['gsm', 'cdma', 'wcdma', 'lte', 'nbiot', 'nr'] as const;
const GROUPS = ['wifi', 'bluetooth', 'beacon'] as const;
/** Pixels around a press in which a point is meant. */
const REACH = 6;
/** A square is looked into. */
const CLOSER = 2;

/** Of the screen. */
type Point = MapMouseEvent['point'];

/** What the map shows, and what it tells. */
export interface StationMapProps {
  index: AdminSchemas['StationIndex'];
  station: string;
  misses: AdminSchemas['Misses'] | undefined;
  onStation(name: string): void;
  onMap(map: BaseMap | undefined): void;
}

/** The map and its choices. */
export function StationMap({ index, station, misses, onStation, onMap }: StationMapProps) {
  const { latitude, longitude, zoom } = index.focus;
  const [map, setMap] = useState<BaseMap>();
  const [choice, setChoice] = useState<StationChoice>({ kind: '', source: '', days: 0 });
  const [showsMisses, setShowsMisses] = useState(false);
  const chosen = useRef(onStation);
  chosen.current = onStation;
  useEffect(() => {
    map?.setOverlay('stations', stationsOverlay(choice, index.sources, index.madeAt));
  }, [map, choice, index.madeAt]);
  useEffect(() => {
    map?.setOverlay('misses', showsMisses && misses !== undefined ? missesOverlay(misses) : undefined);
  }, [map, showsMisses, misses]);
  useEffect(() => {
    map?.setOverlay('chosen', station === '' ? undefined : chosenOverlay(station));
  }, [map, station]);
  const onReady = (ready: BaseMap) => {
    setMap(ready);
    onMap(ready);
    ready.map.on('click', event => press(ready, event, name => chosen.current(name)));
    return () => onMap(undefined);
  };
  return (
    <>
      <Choices index={index} choice={choice} onChoice={setChoice} />
      <div class="coverage-map">
        <MapPane label={text.label} centre={[longitude, latitude]} zoom={zoom} onReady={onReady} />
      </div>
      <Legend showsMisses={showsMisses} />
      <CheckField label={text.misses} checked={showsMisses} onChange={setShowsMisses} />
      <p class="hint">{text.hint}</p>
      <div>
        <Button icon="pin" disabled={map === undefined} onClick={() => showMiddle(map!, onStation)}>
          {text.middle}
        </Button>
      </div>
    </>
  );
}

/** Shows the station nearest to the middle of the map: what a press does for those who press keys. */
function showMiddle({ map }: BaseMap, onStation: (name: string) => void): void {
  const found = nearest(map, map.queryRenderedFeatures({ layers: [POINTS] }), map.project(map.getCenter()));
  if (found === undefined) showToast(text.noneInView);
  else onStation(String(found.properties.name));
}

/** The feature nearest to a point of the screen. */
function nearest(map: BaseMap['map'], features: MapGeoJSONFeature[], point: Point): MapGeoJSONFeature | undefined {
  const away = ({ geometry }: MapGeoJSONFeature): number =>
    geometry.type === 'Point' ? map.project(geometry.coordinates as LongitudeLatitude).dist(point) : REACH;
  return features.sort((a, b) => away(a) - away(b))[0];
}

/** A point is a station; a square is looked into. */
function press({ map }: BaseMap, { point, lngLat }: MapMouseEvent, onStation: (name: string) => void): void {
  const around: [[number, number], [number, number]] = [
    [point.x - REACH, point.y - REACH],
    [point.x + REACH, point.y + REACH],
  ];
  const found = nearest(map, map.queryRenderedFeatures(around, { layers: [POINTS] }), point);
  if (found !== undefined) onStation(String(found.properties.name));
  else if (map.queryRenderedFeatures(point, { layers: [SQUARES] }).length > 0)
    map.jumpTo({ center: lngLat, zoom: map.getZoom() + CLOSER });
}

interface ChoicesProps {
  index: AdminSchemas['StationIndex'];
  choice: StationChoice;
  onChoice(choice: StationChoice): void;
}

function Choices({ index: { kinds, sources, total }, choice, onChoice }: ChoicesProps) {
  const number = (value: number) => value.toLocaleString('en');
  const cells = CELLS.reduce((sum, radio) => sum + (kinds[radio] ?? 0), 0);
  const known = [
    ...GROUPS.map(kind => [kind, kinds[kind] ?? 0] as const),
    ['cell', cells] as const,
    ...CELLS.map(kind => [kind, kinds[kind] ?? 0] as const),
  ].filter(([, count]) => count > 0);
  const seen = Object.entries(text.seenWithin).map(([days, name]) => [days, name] as const);
  return (
    <div class="coverage-choices">
      <SelectField
        label={text.kind}
        value={choice.kind}
        options={[
          ['', text.allKinds(number(total))],
          ...known.map(([kind, count]) => [kind, text.ofKind(text.kinds[kind], number(count))] as const),
        ]}
        onChange={kind => onChoice({ ...choice, kind })}
      />
      <SelectField
        label={text.source}
        value={choice.source}
        options={[['', text.anySource], ['learned', text.learned], ...sources.map(name => [`:${name}`, name] as const)]}
        onChange={source => onChoice({ ...choice, source })}
      />
      <SelectField
        label={text.seen}
        value={String(choice.days)}
        options={[['0', text.anyTime], ...seen]}
        onChange={days => onChoice({ ...choice, days: Number(days) })}
      />
    </div>
  );
}

function Legend({ showsMisses }: { showsMisses: boolean }) {
  const at = isDark.value ? 1 : 0;
  const kinds = [...GROUPS, 'cell'] as const;
  return (
    <ul class="coverage-legend">
      <li>
        {text.density}
        {DENSITY_STEPS.map(({ from, colours }) => (
          <span key={from} class="coverage-step">
            <span class="coverage-square" style={{ background: colours[at], opacity: DENSITY_OPACITY }} />
            {text.atLeast(from.toLocaleString('en'))}
          </span>
        ))}
      </li>
      {kinds.map(kind => (
        <li key={kind}>
          <span class="coverage-dot" style={{ background: KIND_COLOURS[kind][at] }} />
          {text.kinds[kind]}
        </li>
      ))}
      <li>
        <span class="coverage-dot coverage-hollow" />
        {text.notUsed}
      </li>
      {showsMisses && (
        <li>
          <span class="coverage-miss" style={{ borderColor: MISS_COLOURS[at] }} />
          {text.notFound}
        </li>
      )}
    </ul>
  );
}
