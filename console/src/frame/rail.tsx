// The rail: the views, the theme, and who looks. Below 640 pixels it is a bar at the foot of the page.

import { useEffect, useState } from 'preact/hooks';
import brand from '../icon.svg';
import { hashOf } from '../state/route.ts';
import { isPublic, logOut, session } from '../state/session.ts';
import { THEMES, theme } from '../state/theme.ts';
import { strings } from '../strings.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { showToast } from '../ui/toast.tsx';
import type { RailView } from '../views/view.ts';
import { LoginForm } from './login.tsx';

const text = strings.frame;

/** @param current the view that is shown */
export function Rail({ views, current }: { views: readonly RailView[]; current: string }) {
  return (
    <header class="rail">
      <a class="brand" href={hashOf(views[0].id)}>
        <img src={brand} width="28" height="28" alt="" />
        <span>{text.name}</span>
      </a>
      <nav aria-label={text.views}>
        <ul>
          {views.map(({ id, title }) => (
            <li key={id}>
              <a href={hashOf(id)} {...(id === current && { 'aria-current': 'page' as const })}>
                <Icon name={id} />
                <span>{title}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="rail-foot">
        <SessionButton />
        <ThemeButton />
      </div>
    </header>
  );
}

/** Goes through the themes. */
function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
  const choose = () => {
    theme.value = next;
  };
  return (
    <Button kind="quiet" icon={theme.value} label={`${text.theme}: ${text.themes[theme.value]}`} onClick={choose} />
  );
}

/** Logs in or out, and says when nothing can be changed. */
function SessionButton() {
  const [isOpen, setOpen] = useState(false);
  const { access, isLoggedIn } = session.value ?? { access: 'none', isLoggedIn: false };
  // A dialog that a login has made needless does not wait for the next one.
  useEffect(() => setOpen(false), [access, isLoggedIn]);
  const { logIn, logOut: leave } = isPublic.value ? strings.publicly : text;
  if (access === 'none') return null;
  return (
    <>
      {access === 'read' && !isPublic.value && (
        <span class="badge rail-access" title={text.readOnlyHint}>
          {text.readOnly}
        </span>
      )}
      {isLoggedIn ? (
        <Button kind="quiet" icon="logout" label={leave} onClick={() => void end()} />
      ) : (
        <Button kind="quiet" icon="key" label={logIn} onClick={() => setOpen(true)} />
      )}
      {isOpen && (
        <Dialog title={logIn} onClose={() => setOpen(false)}>
          <LoginForm onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

async function end(): Promise<void> {
  try {
    await logOut();
  } catch (error) {
    showToast((error as Error).message, 'error');
  }
}
