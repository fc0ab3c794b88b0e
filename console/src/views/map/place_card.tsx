// What is known of the place that was asked for: its address with all levels, and how fine the answer is.

import { useId } from 'preact/hooks';
import { strings } from '../../strings.ts';
import { CopyButton } from '../../ui/copy_button.tsx';
import { type Place, type Point, titleOf, ZOOM_FINEST } from './place.ts';

const text = strings.map;

interface PlaceCardProps {
  place: Place;
  /** Where it was asked for. */
  point: Point;
  /** How fine the answer is to be, 0 to 18. */
  zoom: number;
  onZoom(zoom: number): void;
}

/** The card of a place. */
export function PlaceCard({ place, point, zoom, onZoom }: PlaceCardProps) {
  const position = `${point.latitude.toFixed(6)}, ${point.longitude.toFixed(6)}`;
  return (
    <>
      <h2 dir="auto">{titleOf(place)}</h2>
      <p class="hint">
        {keyName(place.addresstype ?? place.type)} · {place.category}={place.type}
      </p>
      <dl class="facts">
        {Object.entries(place.address).map(([key, value]) => (
          <>
            <dt>{keyName(key)}</dt>
            <dd dir="auto">{value}</dd>
          </>
        ))}
        <dt>{text.position}</dt>
        <dd class="map-position">
          {position} <CopyButton text={position} label={text.copyPosition} />
        </dd>
      </dl>
      <ZoomSlider zoom={zoom} onZoom={onZoom} />
    </>
  );
}

/** How fine the answer is to be. */
export function ZoomSlider({ zoom, onZoom }: Pick<PlaceCardProps, 'zoom' | 'onZoom'>) {
  const id = useId();
  return (
    <div class="map-zoom">
      <label for={id}>{text.zoom}</label>
      <output for={id}>{zoom}</output>
      <input
        id={id}
        type="range"
        min={0}
        max={ZOOM_FINEST}
        value={zoom}
        aria-valuetext={`${zoom}: ${text.levels[zoom]}`}
        onInput={event => onZoom(Number(event.currentTarget.value))}
      />
      <span class="hint">{text.levels[zoom]}</span>
    </div>
  );
}

/** `house_number` as people write it. */
export function keyName(key: string): string {
  const words = key.replaceAll('_', ' ').replace(/^ISO3166-2-lvl\d+$/, text.subdivision);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
