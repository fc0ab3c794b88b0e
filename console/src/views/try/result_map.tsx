// The map of an explained answer.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { BaseMap } from '../../map/base_map.ts';
import { MapPane } from '../../map/map_pane.tsx';
import { strings } from '../../strings.ts';
import { boundsOf, featuresOf } from './features.ts';
import { CLICKED, collectionOf, overlayOf, SELECTED } from './overlay.ts';
import type { About, Result } from './result.ts';

const text = strings.try;
const NAME = 'try';
/** Of circles and stations, which show the scale, and of places alone, which need something around. */
const ZOOM_MAX = 18;
const PLACE_ZOOM_MAX = 13;
const PADDING = 48;
/** Around a click, in pixels, things count as clicked. */
const CLICK_PIXELS = 6;

interface ResultMapProps {
  result: Result | undefined;
  /** The point that was asked for, longitude first. */
  point: [number, number] | undefined;
  selected: About | undefined;
  onSelect(about: About): void;
  /** A click where nothing is. */
  onPoint(latitude: number, longitude: number): void;
}

/** The map. */
export function ResultMap({ result, point, selected, onSelect, onPoint }: ResultMapProps) {
  const [base, setBase] = useState<BaseMap>();
  const features = useMemo(() => (result === undefined ? [] : featuresOf(result, point)), [result, point]);
  useEffect(() => {
    if (base === undefined) return;
    base.setOverlay(NAME, overlayOf(features, []));
    const bounds = boundsOf(features);
    if (bounds !== undefined)
      base.map.fitBounds(bounds, {
        padding: PADDING,
        maxZoom: result?.estimates === undefined ? PLACE_ZOOM_MAX : ZOOM_MAX,
        animate: false,
      });
  }, [base, features]);
  useEffect(() => {
    base?.setData(SELECTED, collectionOf(features.filter(({ properties }) => properties.about === selected)));
  }, [base, features, selected]);
  useEffect(() => {
    if (base === undefined) return;
    const { map } = base;
    const click = ({
      point: { x, y },
      lngLat,
    }: {
      point: { x: number; y: number };
      lngLat: { lng: number; lat: number };
    }) => {
      const around: [[number, number], [number, number]] = [
        [x - CLICK_PIXELS, y - CLICK_PIXELS],
        [x + CLICK_PIXELS, y + CLICK_PIXELS],
      ];
      const layers = CLICKED.filter(layer => map.getLayer(layer) !== undefined);
      const [found] = map.queryRenderedFeatures(around, { layers });
      if (found === undefined) onPoint(lngLat.lat, lngLat.lng);
      else onSelect(found.properties.about);
    };
    map.on('click', click);
    return () => void map.off('click', click);
  }, [base, onSelect, onPoint]);
  return (
    <MapPane
      label={text.map}
      centre={[9.5, 47.1]}
      zoom={3}
      onReady={opened => {
        setBase(opened);
        return undefined;
      }}
    />
  );
}
