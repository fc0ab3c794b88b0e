// The map of last positions: a point for each device, and for the chosen one its trail and the circle of its radius.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { BaseMap, LongitudeLatitude, Overlay } from '../../map/base_map.ts';
import { MapPane } from '../../map/map_pane.tsx';
import { strings } from '../../strings.ts';
import { type Step, walkOverlay } from '../buildings/building_overlay.ts';
import { type Device, nameOf } from './devices.ts';

const text = strings.devices;
const POINTS = 'device-points';
const PADDING = 48;
/** As near as a map goes by itself: a street. */
const ZOOM_MAX = 17;
const WORLD: LongitudeLatitude = [0, 20];

interface DevicesMapProps {
  devices: readonly Device[];
  /** Positions of the chosen device, the latest last; empty for none. */
  trail: readonly Step[];
  onChoose(device: Device): void;
}

/** The map. */
export function DevicesMap({ devices, trail, onChoose }: DevicesMapProps) {
  const [map, setMap] = useState<BaseMap>();
  const pressed = useRef<(name: string) => void>(() => {});
  pressed.current = name => {
    const device = devices.find(each => nameOf(each) === name);
    if (device !== undefined) onChoose(device);
  };
  useEffect(() => map?.setOverlay('devices', devicesOverlay(devices)), [map, devices]);
  useEffect(
    () => map?.setOverlay('trail', trail.length === 0 ? undefined : walkOverlay(trail, trail.length - 1)),
    [map, trail],
  );
  const shown = trail.length > 0 ? trail : devices.flatMap(({ position }) => position ?? []);
  useEffect(() => {
    if (map !== undefined && shown.length > 0)
      map.map.fitBounds(boxAround(shown), { padding: PADDING, maxZoom: ZOOM_MAX, animate: false });
  }, [map, devices, trail]);
  const onReady = (ready: BaseMap) => {
    ready.map.on('click', ({ point }) => {
      const [found] = ready.map.queryRenderedFeatures(point, { layers: [POINTS] });
      if (found !== undefined) pressed.current(String(found.properties.name));
    });
    setMap(ready);
    return undefined;
  };
  return (
    <div class="devices-map">
      <MapPane label={text.map} centre={WORLD} zoom={1} onReady={onReady} />
    </div>
  );
}

function devicesOverlay(devices: readonly Device[]): Overlay {
  const features = devices.flatMap(device =>
    device.position === undefined
      ? []
      : {
          type: 'Feature' as const,
          properties: { name: nameOf(device) },
          geometry: { type: 'Point' as const, coordinates: [device.position.longitude, device.position.latitude] },
        },
  );
  return {
    sources: { devices: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    layers: isDark => [
      {
        id: POINTS,
        type: 'circle',
        source: 'devices',
        paint: {
          'circle-radius': 6,
          'circle-color': isDark ? '#8ab0ff' : '#1d4ed8',
          'circle-stroke-color': isDark ? '#0b1730' : '#ffffff',
          'circle-stroke-width': 2,
        },
      },
    ],
  };
}

/** The box around positions: south-west and north-east. */
function boxAround(
  positions: readonly { latitude: number; longitude: number }[],
): [LongitudeLatitude, LongitudeLatitude] {
  const latitudes = positions.map(({ latitude }) => latitude);
  const longitudes = positions.map(({ longitude }) => longitude);
  return [
    [Math.min(...longitudes), Math.min(...latitudes)],
    [Math.max(...longitudes), Math.max(...latitudes)],
  ];
}
