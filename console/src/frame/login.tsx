// Asks for the token: in the place of the view where nothing may be seen without, and in a dialog where only changes
// need it.

import { useRef, useState } from 'preact/hooks';
import { Refusal } from '../api/call.ts';
import { ended, isPublic, logIn, session } from '../state/session.ts';
import { strings } from '../strings.ts';
import { Button } from '../ui/button.tsx';
import { TextField, useFocusOnError } from '../ui/field.tsx';

/** What it is called that the page asks for. */
const texts = () => (isPublic.value ? strings.publicly.login : strings.login);

/** Where the token is. */
function hintOf(): string {
  const { tokenFile } = session.value ?? {};
  if (isPublic.value) return strings.publicly.login.hint;
  return tokenFile === undefined ? strings.login.hint : strings.login.hintOf(tokenFile);
}

/** Why it is asked for again. */
function endOf(): string | undefined {
  if (ended.value === undefined) return undefined;
  return ended.value === 'refused' ? strings.publicly.login.expired : strings.login.ended[ended.value];
}

/** The form. @param onDone after a login */
export function LoginForm({ onDone }: { onDone?: () => void }) {
  const text = texts();
  const [token, setToken] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const end = endOf();
  useFocusOnError(form, error);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await logIn(token.trim());
      onDone?.();
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      setError(refused.status === 401 ? text.wrong : refused.message);
      setBusy(false);
    }
  };
  return (
    <form ref={form} class="form" onSubmit={submit}>
      {end !== undefined && (
        <p class="note" role="status">
          {end}
        </p>
      )}
      {/* Keepers of passwords ask for one. A key is not to be kept. */}
      {!isPublic.value && <input type="text" name="username" autocomplete="username" value="sextant" hidden readOnly />}
      <TextField
        label={text.token}
        hint={hintOf()}
        error={error}
        value={token}
        onInput={setToken}
        type={isPublic.value ? 'text' : 'password'}
        name="token"
        autocomplete={isPublic.value ? 'off' : 'current-password'}
        required
      />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {text.submit}
      </Button>
    </form>
  );
}

/** The page before a login. */
export function LoginPage() {
  const text = texts();
  return (
    <section class="card login">
      <h1>{text.title}</h1>
      <p class="lead">{text.why}</p>
      <LoginForm />
    </section>
  );
}
