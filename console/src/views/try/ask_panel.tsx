// Where a question is put: a request as JSON, words, or a point.

import { useEffect, useState } from 'preact/hooks';
import { isPublic } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Editor } from './editor.tsx';
import { type Examples, textOf } from './examples.ts';
import { NoStation } from './no_station.tsx';
import { type Kind, type Question, ZOOM_DEFAULT } from './question.ts';

const text = strings.try;
const KINDS: readonly Kind[] = ['position', 'search', 'point'];

interface AskPanelProps {
  /** What the page asks now, without the log. */
  question: Exclude<Question, { kind: 'log' }> | undefined;
  kind: Kind;
  examples: Examples;
  isBusy: boolean;
  onKind(kind: Kind): void;
  onAsk(question: Question): void;
}

/** The panel. */
export function AskPanel({ question, kind, examples, isBusy, onKind, onAsk }: AskPanelProps) {
  return (
    <section class="card ask" aria-label={text.ask}>
      <fieldset class="segments" aria-label={text.kindsLabel}>
        {KINDS.map(each => (
          <Button key={each} pressed={each === kind} onClick={() => onKind(each)}>
            {text.kinds[each]}
          </Button>
        ))}
      </fieldset>
      {kind === 'position' && <PositionForm {...{ question, examples, isBusy, onAsk }} />}
      {kind === 'search' && <SearchForm {...{ question, examples, isBusy, onAsk }} />}
      {kind === 'point' && <PointForm {...{ question, examples, isBusy, onAsk }} />}
    </section>
  );
}

type FormProps = Pick<AskPanelProps, 'question' | 'examples' | 'isBusy' | 'onAsk'>;

/** What stands in the editor where there is no example. */
const EMPTY_BODY = { wifiAccessPoints: [] };

function PositionForm({ question, examples: { requests, hasStations }, isBusy, onAsk }: FormProps) {
  const asked = question?.kind === 'position' ? question.body : undefined;
  const [given, setGiven] = useState({ text: textOf(asked ?? requests[0]?.body ?? EMPTY_BODY) });
  const [body, setBody] = useState(given.text);
  const [error, setError] = useState<string>();
  const put = (text: string) => {
    setGiven({ text });
    setBody(text);
  };
  useEffect(() => {
    if (asked !== undefined && !isSame(body, asked)) put(textOf(asked));
  }, [asked && JSON.stringify(asked)]);
  const ask = () => {
    try {
      onAsk({ kind: 'position', body: JSON.parse(body) });
      setError(undefined);
    } catch (problem) {
      setError(text.noJson((problem as Error).message));
    }
  };
  const example = requests.find(each => textOf(each.body) === body)?.id ?? '';
  const options: [string, string][] = requests.map(({ id, title }) => [id, title]);
  const choose = (id: string) => {
    const chosen = requests.find(each => each.id === id);
    if (chosen !== undefined) put(textOf(chosen.body));
  };
  return (
    <>
      {!hasStations && !isPublic.value && <NoStation />}
      <SelectField
        label={text.example}
        value={example}
        options={example === '' ? [['', text.own], ...options] : options}
        onChange={choose}
      />
      <div class="field">
        <span class="field-name">{text.body}</span>
        <Editor label={text.body} given={given} onChange={setBody} onRun={ask} />
        {error !== undefined && (
          <p class="field-error" role="alert">
            {error}
          </p>
        )}
        <p class="hint">{isPublic.value ? strings.publicly.bodyHint : text.bodyHint}</p>
      </div>
      <div class="actions">
        <Button kind="primary" icon="play" isBusy={isBusy} onClick={ask}>
          {text.locate}
        </Button>
      </div>
    </>
  );
}

/** True if a text is this body, however it is laid out. */
function isSame(text: string, body: object): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(body);
  } catch {
    return false;
  }
}

function SearchForm({ question, examples, isBusy, onAsk }: FormProps) {
  const asked = question?.kind === 'search' ? question.words : undefined;
  const [words, setWords] = useState(asked ?? examples.words);
  useEffect(() => {
    if (asked !== undefined) setWords(asked);
  }, [asked]);
  const ask = (event: Event) => {
    event.preventDefault();
    onAsk({ kind: 'search', words });
  };
  return (
    <form class="form" onSubmit={ask}>
      <TextField label={text.words} hint={text.wordsHint} value={words} onInput={setWords} type="search" required />
      <Button kind="primary" icon="search" type="submit" isBusy={isBusy}>
        {text.search}
      </Button>
    </form>
  );
}

function PointForm({ question, examples, isBusy, onAsk }: FormProps) {
  const asked = question?.kind === 'point' ? question : { ...examples.point, zoom: ZOOM_DEFAULT };
  const [point, setPoint] = useState(asked);
  const { latitude, longitude, zoom } = asked;
  useEffect(() => setPoint({ latitude, longitude, zoom }), [latitude, longitude, zoom]);
  const ask = (event: Event) => {
    event.preventDefault();
    onAsk({ kind: 'point', latitude: point.latitude, longitude: point.longitude, zoom: point.zoom });
  };
  const field = (name: 'latitude' | 'longitude' | 'zoom') => (
    <TextField
      label={text[name]}
      value={point[name]}
      onInput={value => setPoint({ ...point, [name]: value })}
      inputMode="decimal"
      required
    />
  );
  return (
    <form class="form" onSubmit={ask}>
      <div class="point-fields">
        {field('latitude')}
        {field('longitude')}
        {field('zoom')}
      </div>
      <p class="hint">{text.pointHint}</p>
      <Button kind="primary" icon="pin" type="submit" isBusy={isBusy}>
        {text.address}
      </Button>
    </form>
  );
}
