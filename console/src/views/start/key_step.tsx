// The first step: a key.

import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { keySettings } from '../../../../build/key_settings.ts';
import { call, Refusal } from '../../api/call.ts';
import type { Loaded } from '../../state/load.ts';
import { mayChange } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy_button.tsx';
import { limitsOf, TextField } from '../../ui/field.tsx';
import { Content } from '../../ui/states.tsx';
import { Pasted, Step } from './step.tsx';

const text = strings.start.key;

interface KeyStepProps {
  keys: Loaded<AdminSchemas['Keys']>;
  /** The key that was made here. */
  madeKey: string | undefined;
  onMade(key: string): void;
}

/** The step. */
export function KeyStep({ keys, madeKey, onMade }: KeyStepProps) {
  const own = keys.value?.keys.filter(key => !key.revoked && !isDemo(key)).length ?? 0;
  return (
    <Step number={1} title={text.title} lead={text.lead} isDone={own > 0}>
      <Content loaded={keys} lines={1}>
        {() => (
          <>
            <p>{own === 0 ? text.demo : text.have(own)}</p>
            {madeKey !== undefined && (
              <div class="made-key" role="status">
                <p>{text.made}</p>
                <Pasted text={madeKey}>
                  <CopyButton text={madeKey} label={text.copy} />
                </Pasted>
              </div>
            )}
            {own === 0 && !mayChange() && (
              <>
                <p>{text.logIn}</p>
                <Pasted text={text.command} />
              </>
            )}
            {madeKey === undefined && mayChange() && <KeyForm onMade={onMade} />}
          </>
        )}
      </Content>
    </Step>
  );
}

/** The demo key is the first of a folder, and is named so. */
function isDemo({ id, name }: AdminSchemas['Key']): boolean {
  return id === 1 && name === 'demo';
}

function KeyForm({ onMade }: Pick<KeyStepProps, 'onMade'>) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const make = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      onMade((await call('POST /keys', { body: { name: name.trim() } })).key);
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      setError(refused.message);
    }
    setBusy(false);
  };
  return (
    <form class="form form-row" onSubmit={make}>
      <TextField
        {...{ label: text.name, hint: text.nameHint, error }}
        value={name}
        onInput={setName}
        required
        {...limitsOf(keySettings.name)}
      />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {text.make}
      </Button>
    </form>
  );
}
