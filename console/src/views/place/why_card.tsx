// Why a place ranks as it does: its size and importance, and for words or a point the explanation of the answer, in
// the words of `sextant explain`. Explanations are asked for by words that are typed, and by those of the address.

import { useEffect, useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Content } from '../../ui/states.tsx';
import type { Place, PlaceQuestion } from './place_address.ts';

const text = strings.place;
const DECIMALS = 3;

type Explained = AdminSchemas['ExplainedPlaces'];
type Items = Explained['sections'][number]['items'];

/** What there is to say: a sentence, and lines. */
interface Why {
  sentence: string;
  items: Items;
}

/** The card. */
export function WhyCard({ place, question }: { place: Place; question: PlaceQuestion }) {
  const [words, setWords] = useState(question.words);
  const { point } = question;
  const asked = words ?? (point && '');
  const why = useLoaded(
    async signal => {
      if (words !== undefined)
        return forWords(place, words, await call('GET /explain/search', { query: { q: words }, signal }));
      if (point === undefined) return undefined;
      const { sections } = await call('GET /explain/reverse', { query: point, signal });
      return { sentence: text.whyPoint, items: sections.flatMap(({ title, items }) => [{ lines: [title] }, ...items]) };
    },
    [place, words],
  );
  return (
    <Card title={text.why}>
      <dl class="facts">
        {place.place_rank !== undefined && (
          <>
            <dt>{text.rank}</dt>
            <dd>{text.rankOf(place.place_rank)}</dd>
          </>
        )}
        {place.importance !== undefined && (
          <>
            <dt>{text.importance}</dt>
            <dd>{text.importanceOf(place.importance.toFixed(DECIMALS))}</dd>
          </>
        )}
      </dl>
      <WordsForm words={words ?? place.name} isBusy={asked !== undefined && why.isLoading} onAsk={setWords} />
      {asked !== undefined && (
        <Content loaded={why}>
          {value =>
            value === undefined ? null : (
              <div class="place-why" role="status">
                <p>{value.sentence}</p>
                <Lines items={value.items} />
              </div>
            )
          }
        </Content>
      )}
    </Card>
  );
}

function WordsForm({ words, isBusy, onAsk }: { words: string; isBusy: boolean; onAsk(words: string): void }) {
  const [typed, setTyped] = useState(words);
  useEffect(() => setTyped(words), [words]);
  const ask = (event: Event) => {
    event.preventDefault();
    onAsk(typed);
  };
  return (
    <form class="form form-row" onSubmit={ask}>
      <TextField label={text.words} value={typed} onInput={setTyped} type="search" required />
      <Button type="submit" icon="search" isBusy={isBusy}>
        {text.explain}
      </Button>
    </form>
  );
}

function Lines({ items }: { items: Items }) {
  return (
    <ul>
      {items.map(({ lines }, i) => (
        <li key={`${i}`}>
          {lines.map((line, at) => (
            <span key={`${at}`} class={at === 0 ? 'place-line' : 'place-line place-line-more'}>
              {line.trim()}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** The lines about a place in the explanation of a search. */
function forWords({ place_id: id }: Place, words: string, { sections, response }: Explained): Why {
  const places = (Array.isArray(response) ? response : []) as Place[];
  const rank = places.findIndex(each => each.place_id === id);
  if (rank < 0) return { sentence: text.notFound(words), items: [] };
  const items = sections.flatMap(section => section.items).filter(({ about }) => about === `place:${id}`);
  return { sentence: text.asked(rank + 1, places.length, words), items };
}
