// What would be answered: first for people, then as the text that a client gets.

import { strings } from '../../strings.ts';
import { Badge } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy_button.tsx';
import { hrefOfPlace } from '../place/place_address.ts';
import type { Question } from './question.ts';
import { placesOf, type Result } from './result.ts';

const text = strings.try;
const DEGREE_DIGITS = 6;

/** The members of an answer to a position that people look for. */
interface PositionAnswer {
  location: { lat: number; lng: number };
  accuracy: number;
  fallback?: string;
  geoname?: { town?: string; country?: string };
  address?: Record<string, string>;
  indoor?: { building?: string; floorLabel?: string; floorIndex?: number; room?: string };
}

interface AnswerCardProps {
  result: Result;
  /** What was asked. */
  question: Question;
}

/** The answer. */
export function AnswerCard({ result, question }: AnswerCardProps) {
  const { response } = result;
  if (response === undefined || (Array.isArray(response) && response.length === 0))
    return <p class="answer-nothing">{text.notFound}</p>;
  const json = JSON.stringify(response, null, 2);
  return (
    <div class="answer">
      {result.estimates === undefined ? (
        <PlaceAnswer result={result} question={question} />
      ) : (
        <PositionText answer={response as unknown as PositionAnswer} />
      )}
      <details>
        <summary>{text.json}</summary>
        <div class="answer-json">
          <pre>
            <code>{json}</code>
          </pre>
          <CopyButton text={json} label={text.copyAnswer} />
        </div>
      </details>
    </div>
  );
}

function PositionText({ answer }: { answer: PositionAnswer }) {
  const { location, accuracy, fallback, geoname, address, indoor } = answer;
  const within = [indoor?.building, indoor?.floorLabel ?? indoor?.floorIndex, indoor?.room];
  const lines = [
    [geoname?.town, geoname?.country],
    Object.values(address ?? {}).filter(part => typeof part === 'string'),
    within,
  ];
  return (
    <>
      <p class="answer-main">
        {location.lat.toFixed(DEGREE_DIGITS)}, {location.lng.toFixed(DEGREE_DIGITS)}
        <span class="answer-radius">± {text.metres(accuracy)}</span>
        {fallback !== undefined && <Badge tone="warning">{text.fallback(fallback)}</Badge>}
      </p>
      {lines.map((parts, i) => {
        const line = parts.filter(part => part !== undefined && part !== '').join(', ');
        return line === '' ? null : <p key={`${i}`}>{line}</p>;
      })}
    </>
  );
}

function PlaceAnswer({ result, question }: AnswerCardProps) {
  const places = placesOf(result);
  if (places.length === 0) return <p class="answer-nothing">{text.notFound}</p>;
  return (
    <>
      <p class="answer-main answer-name" dir="auto">
        {places[0].display_name}
      </p>
      <ul class="answer-places" aria-label={text.pages}>
        {places.map(place => (
          <li key={place.place_id}>
            <a href={hrefOfPlace(place, askedOf(question))} dir="auto">
              {place.display_name}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** How the page of a place finds it again. */
function askedOf(question: Question): Parameters<typeof hrefOfPlace>[1] {
  if (question.kind === 'search') return { words: question.words };
  if (question.kind !== 'point') return {};
  const { latitude: lat, longitude: lon, zoom } = question;
  return { point: { lat, lon, zoom } };
}
