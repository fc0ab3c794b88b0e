// The secret by which states of devices are sealed: a new one is made here.

import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { mayChange } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { useDoing } from './ask.ts';
import { dateTime } from './formats.ts';
import { Refused } from './refused.tsx';

const text = strings.privacy.secret;

type Overlap = keyof typeof text.overlaps;

/** The card. */
export function SecretCard() {
  const [overlap, setOverlap] = useState<Overlap>('86400');
  const [isAsked, setIsAsked] = useState(false);
  const [done, setDone] = useState<string>();
  const doing = useDoing();
  const rotate = async () => {
    await doing.run(async () => {
      const { oldUntil } = await call('POST /secret/rotate', { body: { overlapSeconds: Number(overlap) } });
      setDone(oldUntil === undefined ? text.atOnce : text.until(dateTime(oldUntil)));
    });
    setIsAsked(false);
  };
  return (
    <Card title={text.title}>
      <p class="hint">{text.lead}</p>
      <div class="form-grid">
        <SelectField
          label={text.overlap}
          value={overlap}
          options={(['86400', '604800', '0'] as const).map(seconds => [seconds, text.overlaps[seconds]] as const)}
          onChange={(chosen: Overlap) => setOverlap(chosen)}
        />
      </div>
      <div class="actions">
        <Button kind="danger" disabled={!mayChange()} onClick={() => setIsAsked(true)}>
          {text.rotate}
        </Button>
      </div>
      {done !== undefined && <p role="status">{done}</p>}
      <Refused by={doing} />
      {isAsked && (
        <Confirm
          title={`${text.rotate}?`}
          action={text.rotate}
          isBusy={doing.isBusy}
          onConfirm={() => void rotate()}
          onClose={() => setIsAsked(false)}
        >
          <p>{text.sureText}</p>
        </Confirm>
      )}
    </Card>
  );
}
