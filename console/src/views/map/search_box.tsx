// The search of the map: places while one types, with unfinished words and typing errors. A combobox as WAI-ARIA has
// it: arrows choose, Enter takes, Escape closes.

import { useEffect, useId, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Place, surroundingsOf, titleOf } from './place.ts';

const text = strings.map;
/** The service is asked when nobody has typed for so long. */
const PAUSE_MILLISECONDS = 150;
const PLACES_MAX = '8';

interface SearchBoxProps {
  /** Places in it come first: west, south, east, north. */
  viewbox(): string | undefined;
  onChoose(place: Place): void;
}

/** The search box. */
export function SearchBox({ viewbox, onChoose }: SearchBoxProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const words = useSettled(typed.trim());
  const found = useLoaded(async signal => (words === '' ? [] : await search(words, viewbox(), signal)), [words]);
  // What was found before is not what was asked for now.
  const places = words === '' || found.error !== undefined ? [] : (found.value ?? []);
  useEffect(() => setActive(-1), [found.value]);
  const choose = (place: Place | undefined) => {
    if (place === undefined) return;
    setTyped(titleOf(place));
    setOpen(false);
    onChoose(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps && places.length > 0) {
      setOpen(true);
      setActive(
        before => (before + steps[event.key] + places.length + (before < 0 ? -steps[event.key] : 0)) % places.length,
      );
    } else if (event.key === 'Enter') choose(places[Math.max(0, active)]);
    else if (event.key === 'Escape') setOpen(false);
    else return;
    event.preventDefault();
  };
  const isShown = isOpen && words !== '';
  return (
    <div class="map-search">
      <Icon name="search" />
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label={text.search}
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(active >= 0 && isShown && { 'aria-activedescendant': `${id}-${active}` })}
        placeholder={text.placeholder}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={event => {
          setTyped(event.currentTarget.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <FoundList id={id} places={isShown ? places : []} active={active} onChoose={choose} />
      <p class="map-found map-found-none" role="status" hidden={!isShown || places.length > 0 || found.isLoading}>
        {found.error?.message ?? text.nothing}
      </p>
    </div>
  );
}

interface FoundListProps {
  id: string;
  places: readonly Place[];
  /** Which one the arrows are at, or -1. */
  active: number;
  onChoose(place: Place): void;
}

function FoundList({ id, places, active, onChoose }: FoundListProps) {
  return (
    <div id={`${id}-list`} class="map-found" role="listbox" aria-label={text.found} hidden={places.length === 0}>
      {places.map((place, i) => (
        <div
          key={place.display_name + place.lat + place.lon}
          id={`${id}-${i}`}
          role="option"
          tabIndex={-1}
          aria-selected={i === active}
          onMouseDown={event => {
            // The field keeps the focus.
            event.preventDefault();
            onChoose(place);
          }}
        >
          <span class="map-found-name" dir="auto">
            {titleOf(place)}
          </span>
          <span class="map-found-where" dir="auto">
            {surroundingsOf(place)}
          </span>
        </div>
      ))}
    </div>
  );
}

function search(q: string, viewbox: string | undefined, signal: AbortSignal): Promise<Place[]> {
  return call('GET /search', {
    query: { q, limit: PLACES_MAX, autocomplete: '1', ...(viewbox !== undefined && { viewbox }) },
    signal,
  });
}

/** The value once it has stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
