// What can be done to keys, each in a dialog: make one, change it, add credit, rotate, revoke. A new key is shown once.

import { useRef, useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { keySettings } from '../../../../build/key_settings.ts';
import { call } from '../../api/call.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy_button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { limitsOf, SelectField, TextField, useFocusOnError } from '../../ui/field.tsx';
import { errorsOf, useDoing } from './ask.ts';
import { count } from './formats.ts';
import { changesOf, hasField, KeyForm, settingsOf, typedOf } from './key_form.tsx';
import { Refused } from './refused.tsx';

const text = strings.operate.keys;
const HOUR = 3_600;
const OVERLAPS: readonly (readonly [seconds: string, label: string])[] = [
  ['0', text.overlaps.none],
  [String(24 * HOUR), text.overlaps.day],
  [String(7 * 24 * HOUR), text.overlaps.week],
  [String(30 * 24 * HOUR), text.overlaps.month],
];

type Key = AdminSchemas['Key'];

/** What somebody wants to do. */
export type KeyAction = { what: 'create' } | { what: 'update' | 'credit' | 'rotate' | 'revoke'; key: Key };

interface DialogProps {
  onClose(): void;
  /** It is done. @param id the new key, of one that was made */
  onDone(id?: number): void;
}

/** The dialog of an action. */
export function KeyDialog({ action, ...rest }: DialogProps & { action: KeyAction }) {
  switch (action.what) {
    case 'create':
      return <Create {...rest} />;
    case 'update':
      return <Update {...rest} of={action.key} />;
    case 'credit':
      return <Credit {...rest} of={action.key} />;
    case 'rotate':
      return <Rotate {...rest} of={action.key} />;
    case 'revoke':
      return <Revoke {...rest} of={action.key} />;
  }
}

const nameOf = ({ id, name }: Key): string => name ?? text.unnamed(id);

function Create({ onClose, onDone }: DialogProps) {
  const [typed, setTyped] = useState(typedOf({}));
  const [made, setMade] = useState<AdminSchemas['NewKey']>();
  const doing = useDoing();
  if (made !== undefined) return <Shown title={text.made} of={made} onClose={onClose} />;
  const create = () =>
    doing.run(async () => {
      const key = await call('POST /keys', { body: settingsOf(typed) });
      setMade(key);
      onDone(key.id);
    });
  return (
    <FormDialog title={text.create} action={text.create} doing={doing} onSubmit={create} onClose={onClose}>
      <KeyForm typed={typed} errors={errorsOf(doing)} onChange={setTyped} />
    </FormDialog>
  );
}

function Update({ of, onClose, onDone }: DialogProps & { of: Key }) {
  const before = typedOf(of);
  const [typed, setTyped] = useState(before);
  const doing = useDoing();
  const changes = changesOf(before, typed);
  const update = async () => {
    const isDone =
      Object.keys(changes).length === 0 ||
      (await doing.run(() => call('PATCH /keys/{id}', { path: { id: of.id }, body: changes })));
    if (!isDone) return;
    onDone();
    onClose();
  };
  return (
    <FormDialog title={text.changeOf(nameOf(of))} action={text.save} doing={doing} onSubmit={update} onClose={onClose}>
      <KeyForm typed={typed} errors={errorsOf(doing)} onChange={setTyped} />
    </FormDialog>
  );
}

function Credit({ of, onClose, onDone }: DialogProps & { of: Key }) {
  const [credits, setCredits] = useState('1000');
  const doing = useDoing();
  const isPrepaid = of.credits !== undefined;
  const add = async () => {
    const query = isPrepaid ? {} : { force: 'true' as const };
    const sent = { path: { id: of.id }, query, body: { credits: Number(credits) } };
    if (!(await doing.run(() => call('POST /keys/{id}/credit', sent)))) return;
    onDone();
    onClose();
  };
  return (
    <FormDialog title={text.creditOf(nameOf(of))} action={text.credit} doing={doing} onSubmit={add} onClose={onClose}>
      <p>{isPrepaid ? text.balance(count(of.credits!)) : text.becomesPrepaid}</p>
      <TextField
        label={text.credits}
        error={errorsOf(doing).credits}
        type="number"
        value={credits}
        onInput={setCredits}
        required
        {...limitsOf(keySettings.credits)}
        min={1}
      />
    </FormDialog>
  );
}

function Rotate({ of, onClose, onDone }: DialogProps & { of: Key }) {
  const [overlap, setOverlap] = useState<string>(OVERLAPS[2][0]);
  const [made, setMade] = useState<AdminSchemas['NewKey']>();
  const doing = useDoing();
  if (made !== undefined) return <Shown title={text.rotated} of={made} onClose={onClose} />;
  const isOverlapping = of.previousKeyUntil !== undefined && of.previousKeyUntil > new Date().toISOString();
  const rotate = () =>
    doing.run(async () => {
      const query = isOverlapping ? { force: 'true' as const } : {};
      const body = { overlapSeconds: Number(overlap) };
      setMade(await call('POST /keys/{id}/rotate', { path: { id: of.id }, query, body }));
      onDone();
    });
  return (
    <FormDialog
      title={text.rotateOf(nameOf(of))}
      action={text.rotate}
      doing={doing}
      onSubmit={rotate}
      onClose={onClose}
    >
      <p>{text.rotateText}</p>
      {isOverlapping && <p class="note">{text.endsBefore}</p>}
      <SelectField label={text.overlap} value={overlap} options={OVERLAPS} onChange={setOverlap} />
    </FormDialog>
  );
}

function Revoke({ of, onClose, onDone }: DialogProps & { of: Key }) {
  const doing = useDoing();
  const revoke = async () => {
    if (!(await doing.run(() => call('POST /keys/{id}/revoke', { path: { id: of.id } })))) return;
    onDone();
    onClose();
  };
  return (
    <Confirm
      title={text.revokeOf(nameOf(of))}
      action={text.revoke}
      isBusy={doing.isBusy}
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      <Refused by={doing} />
      <p>{text.revokeText}</p>
    </Confirm>
  );
}

/** A key that was made just now. */
function Shown({ title, of, onClose }: { title: string; of: AdminSchemas['NewKey']; onClose(): void }) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {text.kept}
        </Button>
      }
    >
      <div class="form">
        <p>{text.shownOnce}</p>
        <div class="secret">
          <code>{of.key}</code>
          <CopyButton text={of.key} label={text.copyKey} />
        </div>
      </div>
    </Dialog>
  );
}

/** A dialog with a form: Enter does what its last button does. */
function FormDialog({
  title,
  action,
  doing,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  action: string;
  doing: ReturnType<typeof useDoing>;
  onSubmit(): Promise<unknown>;
  onClose(): void;
  children: preact.ComponentChildren;
}) {
  const submit = (event: Event) => {
    event.preventDefault();
    void onSubmit();
  };
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, doing.error);
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} class="form" onSubmit={submit}>
        {children}
        {!hasField(doing.parameter ?? '') && <Refused by={doing} />}
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={doing.isBusy}>
            {action}
          </Button>
          <Button onClick={onClose}>{strings.ui.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
