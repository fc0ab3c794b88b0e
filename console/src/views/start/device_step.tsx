// The last step: the first device. Texts for common clients, with the address of the service and a key in them.

import { useId, useState } from 'preact/hooks';
import type { Loaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { CopyButton } from '../../ui/copy_button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Content } from '../../ui/states.tsx';
import type { Examples } from '../try/examples.ts';
import { CLIENTS } from './clients.ts';
import { Pasted, Step } from './step.tsx';

const text = strings.start.device;

interface DeviceStepProps {
  number: number;
  /** The public address. */
  address: string;
  /** That was made here. */
  madeKey: string | undefined;
  /** Requests that are answered. */
  examples: Loaded<Examples>;
}

/** The step. */
export function DeviceStep({ number, address, madeKey, examples }: DeviceStepProps) {
  const [typed, setTyped] = useState<string>();
  const key = typed ?? madeKey ?? '';
  return (
    <Step number={number} title={text.title} lead={text.lead} isDone={false}>
      <TextField
        label={text.key}
        hint={text.keyHint}
        value={key}
        onInput={setTyped}
        placeholder="KEY"
        autocomplete="off"
      />
      <Content loaded={examples}>
        {({ requests: [example] }) =>
          CLIENTS.map(({ name, place, text: textOf }) => (
            <ClientText
              key={name}
              name={name}
              place={place}
              text={textOf(address, key.trim() || 'KEY', example?.body ?? {})}
            />
          ))
        }
      </Content>
    </Step>
  );
}

function ClientText({ name, place, text: pasted }: { name: string; place: string; text: string }) {
  const id = useId();
  return (
    <section class="client" aria-labelledby={id}>
      <h3 id={id}>{name}</h3>
      <p class="hint">{place}</p>
      <Pasted text={pasted}>
        <CopyButton text={pasted} label={text.copy(name)} />
      </Pasted>
    </section>
  );
}
