// A table before it is answered: what is recognised of it, and the choice of what each row is and which columns say it.

import { useState } from 'preact/hooks';
import type { AdminRoutes, AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Content } from '../../ui/states.tsx';
import { useDoing } from '../operate/ask.ts';
import { size } from '../operate/formats.ts';

const text = strings.tables;
/** The service takes no more for a look. */
const LOOK_BYTES = 262_144;

type Look = AdminSchemas['TableLook'];
type Kind = Look['kind'];
type Role = keyof typeof text.roles;

const KINDS = Object.keys(text.kinds) as Kind[];
const ROLES: Readonly<Record<Kind, readonly Role[]>> = {
  geocode: ['column', 'street', 'city', 'postcode', 'country'],
  reverse: ['latitude', 'longitude', 'position'],
  locate: ['wifi', 'radio', 'mcc', 'mnc', 'lac', 'cell', 'signal', 'body'],
};

/** @param onSent gets the number of the table */
export function AskTable({ file, onSent, onClose }: { file: File; onSent(id: number): void; onClose(): void }) {
  const look = useLoaded(
    signal => call('POST /tables/look', { query: {}, body: file.slice(0, LOOK_BYTES), signal }),
    [file],
  );
  const close = <Button kind="quiet" icon="close" label={strings.ui.closeOf(file.name)} onClick={onClose} />;
  return (
    <Card title={text.file} actions={close}>
      <Content loaded={look}>{seen => <Choice file={file} seen={seen} onSent={onSent} />}</Content>
    </Card>
  );
}

function Choice({ file, seen, onSent }: { file: File; seen: Look; onSent(id: number): void }) {
  const [kind, setKind] = useState<Kind>(seen.kind);
  const [chosen, setChosen] = useState<Partial<Record<Role, string>>>({});
  const { isBusy, error, run } = useDoing();
  const roles = ROLES[kind];
  const isNamed = roles.some(role => chosen[role] !== undefined || seen.recognised[role] !== undefined);
  const send = (event: Event) => {
    event.preventDefault();
    const named = Object.fromEntries(roles.flatMap(role => (chosen[role] === undefined ? [] : [[role, chosen[role]]])));
    const query = { kind, encoding: seen.encoding, ...named } as AdminRoutes['POST /tables']['query'];
    void run(async () => onSent((await call('POST /tables', { query, body: file })).id));
  };
  const names = seen.columns.map(({ name, example }) => [name, text.column(name, example)] as const);
  const choose = (role: Role) => (name: string) => {
    const { [role]: _, ...others } = chosen;
    setChosen(name === '' ? others : { ...others, [role]: name });
  };
  return (
    <form class="form" onSubmit={send}>
      <p>{text.seen(file.name, size(file.size), seen.encoding)}</p>
      <SelectField
        label={text.kind}
        value={kind}
        options={KINDS.map(each => [each, text.kinds[each]] as const)}
        onChange={each => setKind(each as Kind)}
      />
      <div class="form-grid">
        {roles.map(role => {
          const found = seen.recognised[role];
          return (
            <SelectField
              key={role}
              label={text.roles[role]}
              value={chosen[role] ?? ''}
              options={[['', found === undefined ? text.none : text.recognised(found)], ...names]}
              onChange={choose(role)}
            />
          );
        })}
      </div>
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      {!isNamed && <p class="hint">{text.fewColumns}</p>}
      <div class="actions">
        <Button kind="primary" icon="play" type="submit" isBusy={isBusy} disabled={!isNamed}>
          {text.answer}
        </Button>
      </div>
    </form>
  );
}
