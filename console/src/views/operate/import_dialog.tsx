// Importing a file: what it is, the name of its source, and the upload, which can be broken off.

import { useRef, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { useDoing } from './ask.ts';
import { size } from './formats.ts';
import { Refused } from './refused.tsx';

const text = strings.operate.data;

/** A kind of file that can be imported. */
const KINDS = [
  'cells',
  'wifi',
  'observations',
  'osm',
  'addresses',
  'postcodes',
  'importance',
  'buildings',
  'fingerprints',
] as const;
type Kind = (typeof KINDS)[number];
/** What names of files mostly mean. */
const GUESSES: readonly (readonly [pattern: RegExp, kind: Kind])[] = [
  [/\.pbf$/i, 'osm'],
  [/address?e|openaddresses|g-?naf/i, 'addresses'],
  [/\.(geojson|imdf|osm)$/i, 'buildings'],
  [/importance|page.?(rank|view)/i, 'importance'],
  [/fingerprint|survey/i, 'fingerprints'],
  [/wi-?fi|bssid|wlan|access.?point/i, 'wifi'],
  [/\.(jsonl?|gpkg|sqlite|db|netxml|kismet)(\.gz)?$/i, 'observations'],
];

/** @param sources names that there are: an import under one of them replaces it */
export function ImportDialog({
  file,
  sources,
  onBegun,
  onDone,
  onClose,
}: {
  file: File;
  sources: readonly string[];
  onBegun(): void;
  onDone(): void;
  onClose(): void;
}) {
  const [kind, setKind] = useState<Kind>(GUESSES.find(([pattern]) => pattern.test(file.name))?.[1] ?? 'cells');
  const [source, setSource] = useState(file.name.replace(/\..*$/, ''));
  const [replace, setReplace] = useState(false);
  const doing = useDoing();
  const isKnown = kind !== 'observations' && sources.includes(source);
  const upload = useRef<AbortController>(undefined);
  const send = async (event: Event) => {
    event.preventDefault();
    upload.current = new AbortController();
    onBegun();
    const query = {
      kind,
      ...(source !== '' && { source }),
      ...(isKnown && replace && { replace: 'true' as const }),
    };
    const isDone = await doing.run(() => call('POST /imports', { query, body: file, signal: upload.current!.signal }));
    onDone();
    if (isDone) onClose();
  };
  const cancel = () => {
    upload.current?.abort();
    onClose();
  };
  return (
    <Dialog title={text.importFile} onClose={cancel}>
      <form class="form" onSubmit={event => void send(event)}>
        <p>{text.fileOf(file.name, size(file.size))}</p>
        <SelectField
          label={text.kind}
          hint={text.hints[kind]}
          value={kind}
          options={KINDS.map(each => [each, text.kinds[each]] as const)}
          onChange={value => setKind(value as Kind)}
        />
        <TextField
          label={text.source}
          hint={isKnown ? text.sourceKnown : text.sourceHint}
          value={source}
          onInput={setSource}
          required={kind !== 'observations'}
        />
        {isKnown && <CheckField label={text.replace} hint={text.replaceHint} checked={replace} onChange={setReplace} />}
        <Refused by={doing} />
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={doing.isBusy}>
            {doing.isBusy ? text.sending : text.import}
          </Button>
          <Button onClick={cancel}>{doing.isBusy ? text.breakOff : strings.ui.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
