// Importing a file: what it is, the name of its source, and the upload, which can be broken off.

import { useRef, useState } from 'preact/hooks';
import type { AdminRoutes } from '../../../../build/console_api.ts';
import { importParameters } from '../../../../build/key_settings.ts';
import { call } from '../../api/call.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, limitsOf, SelectField, TextField, useFocusOnError } from '../../ui/field.tsx';
import { AddressFields, isMissing, type Told, useLook } from './address_fields.tsx';
import { errorsOf, useDoing } from './ask.ts';
import { size } from './formats.ts';
import { Refused } from './refused.tsx';

const text = strings.operate.data;

/** A kind of file that can be imported. */
const KINDS = [
  'cells',
  'wifi',
  'observations',
  'osm',
  'places',
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
  [/\.places$/i, 'places'],
  [/address?e|openaddresses|g-?naf/i, 'addresses'],
  [/post(al)?.?codes?|codepo|geonames/i, 'postcodes'],
  [/\.(geojson|imdf|osm)$/i, 'buildings'],
  [/importance|page.?(rank|view)/i, 'importance'],
  [/fingerprint|survey/i, 'fingerprints'],
  [/wi-?fi|bssid|wlan|access.?point/i, 'wifi'],
  [/\.(jsonl?|gpkg|sqlite|db|netxml|kismet)(\.gz)?$/i, 'observations'],
];

type Query = AdminRoutes['POST /imports']['query'];

interface Ends {
  onBegun(): void;
  onDone(): void;
  /** Of this file. */
  onClose(): void;
}

interface Properties extends Ends {
  file: File;
  /** Which of several it is, from 0. */
  place: { at: number; of: number };
  /** Names that there are: an import under one of them replaces it. */
  sources: readonly string[];
  /** Of all further files, too. */
  onLeave(): void;
}

/** Asks about a file, and sends it. */
export function ImportDialog({ file, place, sources, onLeave, ...ends }: Properties) {
  const [kind, setKind] = useState<Kind>(GUESSES.find(([pattern]) => pattern.test(file.name))?.[1] ?? 'cells');
  const [source, setSource] = useState(file.name.replace(/\..*$/, ''));
  const [replace, setReplace] = useState(false);
  const [told, setTold] = useState<Told>({});
  const { doing, send, cancel } = useUpload(file, ends);
  const addressKind = kind === 'addresses' || kind === 'postcodes' ? kind : undefined;
  const look = useLook(file, addressKind, told);
  const { parameter = '', error } = doing;
  const errors = errorsOf(doing);
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, error);
  const hasField = ['kind', 'source'].includes(parameter) || (addressKind !== undefined && parameter !== '');
  const isKnown = kind !== 'observations' && sources.includes(source);
  const submit = (event: Event) => {
    event.preventDefault();
    void send({
      kind,
      ...(source !== '' && { source }),
      ...(isKnown && replace && { replace: 'true' }),
      ...(addressKind && told),
    });
  };
  return (
    <Dialog title={place.of > 1 ? text.importOne(place.at + 1, place.of) : text.importFile} onClose={cancel}>
      <form ref={form} class="form" onSubmit={submit}>
        <p>{text.fileOf(file.name, size(file.size))}</p>
        <SelectField
          label={text.kind}
          hint={text.hints[kind]}
          error={errors.kind}
          value={kind}
          options={KINDS.map(each => [each, text.kinds[each]] as const)}
          onChange={value => setKind(value as Kind)}
        />
        <TextField
          label={text.source}
          hint={isKnown ? text.sourceKnown : text.sourceHint}
          error={errors.source}
          value={source}
          onInput={setSource}
          required={kind !== 'observations'}
          {...limitsOf(importParameters.source)}
        />
        {isKnown && <CheckField label={text.replace} hint={text.replaceHint} checked={replace} onChange={setReplace} />}
        {addressKind && <AddressFields kind={addressKind} told={told} look={look} errors={errors} onTold={setTold} />}
        {!hasField && <Refused by={doing} />}
        <div class="actions">
          <Button
            kind="primary"
            type="submit"
            isBusy={doing.isBusy}
            disabled={addressKind !== undefined && isMissing(look)}
          >
            {doing.isBusy ? text.sending : text.import}
          </Button>
          <Button onClick={cancel}>
            {doing.isBusy ? text.breakOff : place.of > 1 ? text.leaveOut : strings.ui.cancel}
          </Button>
          {place.at < place.of - 1 && !doing.isBusy && <Button onClick={onLeave}>{text.leaveAll}</Button>}
        </div>
      </form>
    </Dialog>
  );
}

/** The upload of a file, which can be broken off. */
function useUpload(file: File, { onBegun, onDone, onClose }: Ends) {
  const doing = useDoing();
  const upload = useRef<AbortController>(undefined);
  const send = async (query: Query) => {
    upload.current = new AbortController();
    onBegun();
    const isDone = await doing.run(() => call('POST /imports', { query, body: file, signal: upload.current!.signal }));
    onDone();
    if (isDone) onClose();
  };
  const cancel = () => {
    upload.current?.abort();
    onClose();
  };
  return { doing, send, cancel };
}
