// The map: everything that the service knows of places. A search goes there, a click asks for the address.

import type { MapMouseEvent, PaddingOptions } from 'maplibre-gl';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AdminRoutes } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import type { BaseMap } from '../../map/base_map.ts';
import { loadStyle } from '../../map/load_style.ts';
import { MapPane } from '../../map/map_pane.tsx';
import { useLoaded } from '../../state/load.ts';
import { navigate, route } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Content, Failed, Loading } from '../../ui/states.tsx';
import style from './map.css?url';
import { draw } from './marks.ts';
import { boxOf, type Place, type Point, pointOf, ZOOM_FINEST } from './place.ts';
import { PlaceCard, ZoomSlider } from './place_card.tsx';
import { SearchBox } from './search_box.tsx';

await loadStyle(style);

const text = strings.map;
/** A place that is a point is shown at this zoom. */
const POINT_ZOOM = 17;

/** How a map is shown whole. */
const FIT = { padding: 24, animate: false };

/** Up to this width the card lies at the foot; as in map.css. */
const NARROW_PIXELS = 640;
const PANEL_PIXELS = 376;

type MapAnswer = AdminRoutes['GET /map']['answer'];

/** What is asked: a place that a search found, or what is at a point. */
type Question = { point: Point; zoom: number; place?: Place };

/** The view. */
export default function MapView() {
  const map = useLoaded(signal => call('GET /map', { signal }), []);
  return (
    <>
      <h1 class="visually-hidden">{text.title}</h1>
      <Content loaded={map} lines={6}>
        {value => <Explorer {...value} />}
      </Content>
    </>
  );
}

function Explorer({ bounds, parts }: Pick<MapAnswer, 'bounds' | 'parts'>) {
  const map = useRef<BaseMap | undefined>(undefined);
  const [question, setQuestion] = useState<Question | undefined>(readQuestion);
  const answer = useLoaded(
    async signal => (question === undefined ? undefined : (question.place ?? (await reverse(question, signal)))),
    [question],
  );
  const place = question === undefined ? undefined : answer.value;
  const askAt = (point: Point) => setQuestion(before => ({ point, zoom: before?.zoom ?? ZOOM_FINEST }));
  useEffect(() => {
    if (question === undefined) return;
    const { latitude, longitude } = question.point;
    navigate('map', { lat: latitude.toFixed(6), lon: longitude.toFixed(6), zoom: question.zoom }, true);
  }, [question]);
  useEffect(() => draw(map.current, question?.point, place), [question, place]);
  const onReady = (opened: BaseMap) => {
    map.current = opened;
    opened.map.setPadding(paddingOf(opened.map.getContainer()));
    if (question === undefined) opened.map.fitBounds(fitted(parts[0]?.bounds ?? bounds), FIT);
    draw(opened, question?.point, place);
    opened.map.on('click', ({ lngLat }: MapMouseEvent) => {
      const { lat, lng } = lngLat.wrap();
      askAt({ latitude: lat, longitude: lng });
    });
    return undefined;
  };
  const onChoose = (chosen: Place) => {
    setQuestion({ point: pointOf(chosen), zoom: ZOOM_FINEST, place: chosen });
    map.current?.map.fitBounds(boxOf(chosen), { maxZoom: POINT_ZOOM, padding: 64 });
  };
  const askMiddle = () => {
    const { lat, lng } = map.current!.map.getCenter().wrap();
    askAt({ latitude: lat, longitude: lng });
  };
  const centre = question && ([question.point.longitude, question.point.latitude] as [number, number]);
  return (
    <div class="map-view">
      <MapPane
        label={text.label}
        centre={centre ?? [0, 20]}
        zoom={centre === undefined ? 1 : POINT_ZOOM}
        onReady={onReady}
      />
      <div class="map-panel">
        <SearchBox viewbox={() => viewboxOf(map.current)} onChoose={onChoose} />
        <Answer question={question} place={place} error={answer.error?.message} ask={setQuestion} askMiddle={askMiddle}>
          {parts.length > 1 && (
            <Parts parts={parts} onChoose={chosen => map.current?.map.fitBounds(fitted(chosen), FIT)} />
          )}
        </Answer>
      </div>
    </div>
  );
}

/** The way to what is imported elsewhere. */
function Parts({ parts, onChoose }: Pick<MapAnswer, 'parts'> & { onChoose(bounds: MapAnswer['bounds']): void }) {
  return (
    <nav class="map-parts" aria-label={text.parts}>
      <span class="hint">{text.parts}</span>
      {parts.map(({ name, bounds }) => (
        <Button key={String(bounds)} kind="quiet" onClick={() => onChoose(bounds)}>
          {name}
        </Button>
      ))}
    </nav>
  );
}

interface AnswerProps {
  question: Question | undefined;
  place: Place | undefined;
  error: string | undefined;
  ask(question: Question): void;
  askMiddle(): void;
  /** Below the sentence that says how to ask. */
  children: ComponentChildren;
}

/** The card: how to ask, what was found, or why nothing was. */
function Answer({ question, place, error, ask, askMiddle, children }: AnswerProps) {
  if (question === undefined)
    return (
      <section class="map-card" aria-label={text.address}>
        <p class="hint">{text.hint}</p>
        <Button icon="pin" onClick={askMiddle}>
          {text.middle}
        </Button>
        {children}
      </section>
    );
  const { point, zoom } = question;
  const onZoom = (finer: number) => ask({ point, zoom: finer });
  return (
    <section class="map-card" aria-label={text.address} aria-live="polite">
      {error !== undefined ? (
        <>
          <Failed message={error} />
          <ZoomSlider zoom={zoom} onZoom={onZoom} />
        </>
      ) : place === undefined ? (
        <Loading lines={4} />
      ) : (
        <PlaceCard place={place} point={point} zoom={zoom} onZoom={onZoom} />
      )}
    </section>
  );
}

function reverse({ point, zoom }: Question, signal: AbortSignal): Promise<Place> {
  const { latitude, longitude } = point;
  return call('GET /reverse', { query: { lat: String(latitude), lon: String(longitude), zoom: String(zoom) }, signal });
}

/** What the address of the page asks. */
function readQuestion(): Question | undefined {
  const { parameters } = route.peek();
  const [latitude, longitude] = [Number(parameters.get('lat')), Number(parameters.get('lon'))];
  if (!parameters.has('lat') || !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  const zoom = Math.min(ZOOM_FINEST, Math.max(0, Math.round(Number(parameters.get('zoom') ?? ZOOM_FINEST)) || 0));
  return { point: { latitude, longitude }, zoom };
}

/** What the search and the card cover of the map: what is shown lies beside them. */
function paddingOf({ clientWidth, clientHeight }: HTMLElement): PaddingOptions {
  return clientWidth < NARROW_PIXELS
    ? { top: 64, bottom: 0.5 * clientHeight, left: 0, right: 0 }
    : { top: 0, bottom: 0, left: PANEL_PIXELS, right: 0 };
}

function fitted([west, south, east, north]: readonly number[]): [[number, number], [number, number]] {
  return [
    [west, south],
    [east, north],
  ];
}

/** Where the map looks, as the search takes it. */
function viewboxOf(map: BaseMap | undefined): string | undefined {
  const box = map?.map.getBounds();
  return box && [box.getWest(), box.getSouth(), box.getEast(), box.getNorth()].map(each => each.toFixed(4)).join();
}
