// A map in a view.

import { useEffect, useRef } from 'preact/hooks';
import { BaseMap, type LongitudeLatitude } from './base_map.ts';

interface MapPaneProps {
  /** What the map shows, for screen readers. */
  label: string;
  centre: LongitudeLatitude;
  zoom: number;
  /** Called once the map is there. What it returns is called before the map goes. */
  onReady(map: BaseMap): undefined | (() => void);
}

/** A map that fills its frame. */
export function MapPane({ label, centre, zoom, onReady }: MapPaneProps) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    let end: (() => void) | undefined;
    let isLeft = false;
    void BaseMap.open(element.current!, centre, zoom).then(map => {
      const leave = isLeft ? undefined : onReady(map);
      end = () => {
        leave?.();
        map.remove();
      };
      if (isLeft) end();
    });
    return () => {
      isLeft = true;
      end?.();
    };
  }, []);
  return <section ref={element} class="map-pane" aria-label={label} />;
}
