// The map of a floor. Names of rooms are elements of the page and not text of the map, which needs fonts for that.

import { Marker } from 'maplibre-gl';
import { useEffect, useState } from 'preact/hooks';
import type { BaseMap } from '../../map/base_map.ts';
import { MapPane } from '../../map/map_pane.tsx';
import { strings } from '../../strings.ts';
import {
  type BuildingJson,
  boxOfBuilding,
  floorOverlay,
  type Levels,
  levelsOverlay,
  roomsOf,
  type Step,
  walkOverlay,
} from './building_overlay.ts';

const text = strings.buildings;
/** More names nobody reads at once. */
const NAMES_MAX = 80;
const PADDING = 32;
const ZOOM = 18;

interface BuildingMapProps {
  name: string;
  building: BuildingJson;
  floor: number;
  levels: Levels | undefined;
  walk: { steps: readonly Step[]; current: number } | undefined;
}

/** The map. */
export function BuildingMap({ name, building, floor, levels, walk }: BuildingMapProps) {
  const [map, setMap] = useState<BaseMap>();
  const [west, south, east, north] = boxOfBuilding(building);
  useEffect(() => {
    map?.setOverlay('floor', floorOverlay(building, floor));
  }, [map, building, floor]);
  useEffect(() => {
    map?.setOverlay('levels', levels && levelsOverlay(levels));
  }, [map, levels]);
  useEffect(() => {
    map?.setOverlay('walk', walk && walkOverlay(walk.steps, walk.current));
  }, [map, walk]);
  useEffect(() => {
    if (map === undefined) return;
    const markers = roomsOf(building, floor)
      .slice(0, NAMES_MAX)
      .map(room => {
        const element = document.createElement('span');
        element.className = 'building-room-name';
        element.textContent = room.name;
        return new Marker({ element }).setLngLat(room.at).addTo(map.map);
      });
    return () => {
      for (const marker of markers) marker.remove();
    };
  }, [map, building, floor]);
  const onReady = (ready: BaseMap) => {
    const showWhole = () => void ready.map.fitBounds([west, south, east, north], { padding: PADDING, animate: false });
    ready.map.on('resize', showWhole);
    showWhole();
    setMap(ready);
    return undefined;
  };
  return (
    <div class="building-map">
      <MapPane
        label={text.label(name)}
        centre={[(west + east) / 2, (south + north) / 2]}
        zoom={ZOOM}
        onReady={onReady}
      />
    </div>
  );
}
