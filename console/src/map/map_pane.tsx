// A map in a view.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../api/call.ts';
import { Failed } from '../ui/states.tsx';
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
  const element = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState<string>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let end: (() => void) | undefined;
    let isLeft = false;
    setFailed(undefined);
    BaseMap.open(element.current!, centre, zoom).then(
      map => {
        const leave = isLeft ? undefined : onReady(map);
        end = () => {
          leave?.();
          map.remove();
        };
        if (isLeft) end();
      },
      error => {
        if (!(error instanceof Refusal)) throw error;
        if (!isLeft) setFailed(error.message);
      },
    );
    return () => {
      isLeft = true;
      end?.();
    };
  }, [turn]);
  return (
    <section class="map-frame" aria-label={label}>
      {failed !== undefined && <Failed message={failed} again={() => setTurn(turn + 1)} />}
      <div ref={element} class="map-pane" />
    </section>
  );
}
