// Try: a question, its answer, and how the answer came about, in words and on the map. The words are those of
// `sextant explain`; a line and what it speaks of light up together.

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { loadStyle } from '../../map/load_style.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf, navigate, route } from '../../state/route.ts';
import { isPublic } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy_button.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { ViewHead } from '../../ui/view_head.tsx';
import { AnswerCard } from './answer_card.tsx';
import { AskPanel } from './ask_panel.tsx';
import { type Examples, NO_EXAMPLES, useExamples } from './examples.ts';
import { type Answered, ask, type Kind, parametersOf, type Question, questionOf, ZOOM_DEFAULT } from './question.ts';
import { type About, type Look, looksOn, type Result } from './result.ts';
import { Mark, ResultLines } from './result_lines.tsx';
import { ResultMap } from './result_map.tsx';
import style from './try.css?url';

const text = strings.try;
const VIEW = 'try';
const LEGEND: readonly Look[] = [
  'answer',
  'used',
  'refused',
  'estimate',
  'dropped',
  'place',
  'inside',
  'before',
  'guess',
];
/** A centimetre. */
const DEGREE_DIGITS = 7;

// Without its style the view would jump.
await loadStyle(style);

/** The view. */
export default function TryView() {
  const { value, error } = useExamples();
  const examples = value ?? (error && NO_EXAMPLES);
  if (examples !== undefined) return <Try examples={examples} />;
  return (
    <>
      <ViewHead title={text.title} lead={text.lead} />
      <Loading lines={6} />
    </>
  );
}

function Try({ examples }: { examples: Examples }) {
  const { requests } = examples;
  const address = route.value.parameters.toString();
  const question = useMemo(() => questionOf(new URLSearchParams(address), requests), [address, requests]);
  const [turn, setTurn] = useState(0);
  const [selected, setSelected] = useState<About>();
  const [kind, setKind] = useState<Kind>('position');
  const loaded = useLoaded<Answered | undefined>(
    async signal => (question === undefined ? undefined : ask(question, signal)),
    [address, turn],
  );
  const answered = question === undefined || loaded.isLoading ? undefined : loaded.value;
  const asked = question?.kind === 'log' ? answered?.question : question;
  useEffect(() => {
    if (asked !== undefined) setKind(asked.kind);
  }, [asked?.kind]);
  useEffect(() => setSelected(undefined), [address, turn]);
  const askNow = useCallback(
    (next: Question) => {
      const parameters = parametersOf(next, requests);
      if (hashOf(VIEW, parameters) === location.hash) setTurn(before => before + 1);
      else navigate(VIEW, parameters);
    },
    [requests],
  );
  const isPoint = kind === 'point';
  const askPoint = useCallback(
    (latitude: number, longitude: number) => {
      if (!isPoint) return;
      const at = (degrees: number) => String(Number(degrees.toFixed(DEGREE_DIGITS)));
      askNow({ kind: 'point', latitude: at(latitude), longitude: at(longitude), zoom: ZOOM_DEFAULT });
    },
    [askNow, isPoint],
  );
  const parameters = question && parametersOf(question, requests);
  const isKept = new URLSearchParams(address).has('kept');
  const shared = parameters && !isKept && new URL(hashOf(VIEW, parameters), location.href).href;
  return (
    <>
      <ViewHead title={text.title} lead={text.lead} actions={<Actions shared={shared || undefined} />} />
      <div class="try">
        <AskPanel {...{ question: asked, kind, examples, onAsk: askNow, onKind: setKind }} isBusy={loaded.isLoading} />
        <div class="card try-map">
          <ResultMap
            {...{
              result: answered?.result,
              point: pointOf(answered),
              selected,
              onSelect: setSelected,
              onPoint: askPoint,
            }}
          />
          <Legend result={answered?.result} />
        </div>
        <section class="card try-result" aria-label={text.answer}>
          {isKept && <p class="note">{question === undefined ? text.lost : text.kept}</p>}
          <Outcome {...{ loaded, question, answered, selected, onSelect: setSelected }} />
        </section>
      </div>
    </>
  );
}

/** @param shared the address of what is asked; undefined where nothing is, or it does not fit into an address */
function Actions({ shared }: { shared: string | undefined }) {
  return (
    <>
      {!isPublic.value && (
        <ButtonLink icon="upload" href={hashOf('tables')}>
          {strings.tables.open}
        </ButtonLink>
      )}
      {shared !== undefined && <CopyButton text={shared} label={text.copyLink} icon="link" />}
    </>
  );
}

interface OutcomeProps {
  loaded: ReturnType<typeof useLoaded<Answered | undefined>>;
  question: Question | undefined;
  answered: Answered | undefined;
  selected: About | undefined;
  onSelect(about: About | undefined): void;
}

function Outcome({ loaded, question, answered, selected, onSelect }: OutcomeProps) {
  if (question === undefined)
    return (
      <Empty icon="pin" title={text.nothingAsked}>
        {text.nothingAskedText}
      </Empty>
    );
  if (loaded.isLoading) return <Loading lines={6} />;
  if (loaded.error) return <Failed message={loaded.error.message} again={loaded.again} />;
  if (answered === undefined) return null;
  return (
    <>
      <div role="status">
        <AnswerCard {...answered} />
      </div>
      <ResultLines result={answered.result} selected={selected} onSelect={onSelect} />
    </>
  );
}

/** The point that was asked for, longitude first. */
function pointOf(answered: Answered | undefined): [number, number] | undefined {
  const question = answered?.question;
  if (question?.kind !== 'point') return undefined;
  return [Number(question.longitude), Number(question.latitude)];
}

/** The signs that are on the map. */
function Legend({ result }: { result: Result | undefined }) {
  const looks = result === undefined ? [] : looksOn(result);
  return (
    <ul class="legend">
      {LEGEND.filter(look => looks.includes(look)).map(look => (
        <li key={look}>
          <span aria-hidden="true">
            <Mark look={look} />
          </span>
          {isPublic.value && look === 'answer' ? strings.publicly.radius : text.looks[look]}
        </li>
      ))}
    </ul>
  );
}
