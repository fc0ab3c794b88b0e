// Asks for the token: in the place of the view where nothing may be seen without, and in a dialog where only changes
// need it.

import { useState } from 'preact/hooks';
import { Refusal } from '../api/call.ts';
import { hasExpired, isPublic, logIn } from '../state/session.ts';
import { strings } from '../strings.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';

/** What it is called that the page asks for. */
const texts = () => (isPublic.value ? strings.publicly.login : strings.login);

/** The form. @param onDone after a login */
export function LoginForm({ onDone }: { onDone?: () => void }) {
  const text = texts();
  const [token, setToken] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
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
    <form class="form" onSubmit={submit}>
      {hasExpired.value && <p class="note">{text.expired}</p>}
      {/* Keepers of passwords ask for one. A key is not to be kept. */}
      {!isPublic.value && <input type="text" name="username" autocomplete="username" value="sextant" hidden readOnly />}
      <TextField
        label={text.token}
        hint={text.hint}
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
