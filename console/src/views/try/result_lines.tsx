// The explanation in words, beside the map: each line that speaks of something on it is a button that shows it.

import { useEffect, useRef } from 'preact/hooks';
import { strings } from '../../strings.ts';
import { type About, type Look, lookOf, type Result } from './result.ts';

const text = strings.try;
type Section = Result['sections'][number];

interface ResultLinesProps {
  result: Result;
  selected: About | undefined;
  onSelect(about: About | undefined): void;
}

/** The sections of an explanation, the answer first, or the places that a search has found. */
export function ResultLines({ result, selected, onSelect }: ResultLinesProps) {
  const sections = result.sections.toSorted((a, b) => Number(isAnswer(b)) - Number(isAnswer(a)));
  return (
    <div class="explanation">
      {sections.map((section, i) => (
        <section key={`${i} ${section.title}`}>
          <Line
            about={section.about}
            lines={[section.title]}
            isTitle={section.about !== undefined || section.items.length > 0}
            {...{ result, selected, onSelect }}
          />
          {section.items.length > 0 && (
            <ul>
              {section.items.map(({ about, lines }, item) => (
                <li key={`${item} ${lines[0]}`}>
                  <Line about={about} lines={lines} isTitle={false} {...{ result, selected, onSelect }} />
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </div>
  );
}

function isAnswer({ about, items }: Section): boolean {
  return about === 'answer' || items.some(item => item.about?.startsWith('place:'));
}

interface LineProps extends ResultLinesProps {
  about: About | undefined;
  lines: readonly string[];
  isTitle: boolean;
}

function Line({ about, lines, isTitle, result, selected, onSelect }: LineProps) {
  const button = useRef<HTMLButtonElement>(null);
  const isSelected = about !== undefined && about === selected;
  useEffect(() => {
    // Of several lines about one thing none moves away under the pointer.
    const isPointedAt = document.querySelector('.line-button[aria-pressed=true]:is(:hover, :focus)') !== null;
    if (isSelected && !isPointedAt) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const look = lookOf(result, about);
  const said = (
    <>
      {look && <Mark look={look} />}
      <span class="line-text">
        {lines.map((line, i) => (
          <span key={`${i} ${line}`} class={i === 0 ? 'line-first' : 'line-more'}>
            {line.trim()}
          </span>
        ))}
      </span>
    </>
  );
  const plain = isTitle ? <h2 class="line">{said}</h2> : <div class="line">{said}</div>;
  if (about === undefined || look === undefined || look === 'unknown') return plain;
  const pressed = (
    <button
      ref={button}
      type="button"
      class="line line-button"
      aria-pressed={isSelected}
      onClick={() => onSelect(isSelected ? undefined : about)}
      onMouseEnter={() => onSelect(about)}
      onFocus={() => onSelect(about)}
    >
      {said}
    </button>
  );
  return isTitle ? <h2>{pressed}</h2> : pressed;
}

/** Of signs that are no plain points. */
const RADII: Partial<Record<Look, number>> = { estimate: 6, dropped: 6, guess: 6, before: 3.5 };

/** The sign of a thing, as on the map. */
export function Mark({ look }: { look: Look }) {
  return (
    <svg
      class={`mark mark-${look}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      role="img"
      aria-label={text.looks[look]}
    >
      {look === 'inside' ? (
        <rect x="2.5" y="2.5" width="11" height="11" />
      ) : (
        <circle cx="8" cy="8" r={RADII[look] ?? 5} />
      )}
    </svg>
  );
}
