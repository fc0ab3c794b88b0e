// Forgetting: what people may ask to have removed. It is a job, whose progress stands here.

import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { mayChange } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { useDoing } from './ask.ts';
import { count } from './formats.ts';
import { Refused } from './refused.tsx';
import { WorkRow } from './work_row.tsx';

const text = strings.privacy.forget;

type Kind = keyof typeof text.kinds;

interface ForgetCardProps {
  /** The last job of this kind. */
  job: AdminSchemas['Job'] | undefined;
  onBegun(): void;
}

/** The card. */
export function ForgetCard({ job, onBegun }: ForgetCardProps) {
  const [kind, setKind] = useState<Kind>('stations');
  const [typed, setTyped] = useState('');
  const [mayReturn, setMayReturn] = useState(false);
  const [error, setError] = useState<string>();
  const [isAsked, setIsAsked] = useState(false);
  const keptOut = useLoaded(signal => call('GET /forget', { signal }), [job?.state]);
  const doing = useDoing();
  const ask = (event: Event) => {
    event.preventDefault();
    const wrong = wrongWith(kind, typed.trim());
    setError(wrong);
    setIsAsked(wrong === undefined);
  };
  const forget = async () => {
    const begun = await doing.run(() => call('POST /forget', { body: bodyOf(kind, typed.trim(), mayReturn) as never }));
    setIsAsked(false);
    if (!begun) return;
    setTyped('');
    onBegun();
  };
  return (
    <Card title={text.title}>
      <p class="hint">{text.lead}</p>
      <form class="form" onSubmit={ask}>
        <div class="form-grid">
          <SelectField
            label={text.what}
            value={kind}
            options={Object.entries(text.kinds) as [Kind, string][]}
            onChange={(chosen: Kind) => setKind(chosen)}
          />
          <TextField
            label={text.labels[kind]}
            hint={text.hints[kind]}
            error={error}
            value={typed}
            disabled={!mayChange()}
            onInput={setTyped}
          />
        </div>
        {kind === 'stations' && <CheckField label={text.mayReturn} checked={mayReturn} onChange={setMayReturn} />}
        <div class="actions">
          <Button kind="danger" icon="trash" type="submit" disabled={!mayChange() || job?.state === 'running'}>
            {text.begin}
          </Button>
          {keptOut.value && <span class="muted small">{text.keptOut(count(keptOut.value.stations.length))}</span>}
        </div>
      </form>
      <Refused by={doing} />
      {job && <WorkRow of={{ ...job, title: text.title }} />}
      {isAsked && (
        <Confirm
          title={text.sure(typed.trim())}
          action={text.begin}
          isBusy={doing.isBusy}
          onConfirm={() => void forget()}
          onClose={() => setIsAsked(false)}
        >
          <p>
            {text.kinds[kind]}. {text.sureText}
          </p>
        </Confirm>
      )}
    </Card>
  );
}

/** What is wrong with what somebody typed, without blanks around it. */
function wrongWith(kind: Kind, typed: string): string | undefined {
  if (wordsOf(typed).length === 0) return text.missing;
  const isNumber = kind === 'contributor' || kind === 'report';
  return isNumber && !/^\d{1,15}$/.test(typed) ? text.notNumber : undefined;
}

function bodyOf(kind: Kind, typed: string, mayReturn: boolean): object {
  if (kind === 'stations') return { stations: wordsOf(typed), ...(mayReturn && { mayReturn }) };
  return { [kind]: kind === 'device' ? typed : Number(typed) };
}

function wordsOf(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter(word => word !== '');
}
