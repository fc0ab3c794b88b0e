// Short messages about what was done, which go by themselves. What must be read stands on the page instead.

import { signal } from '@preact/signals';
import { strings } from '../strings.ts';
import { Button } from './button.tsx';

interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'error';
}

/** Long enough to read a sentence. */
const SHOWN_MILLISECONDS = 6_000;
const SHOWN_MAX = 3;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Shows a message. */
export function showToast(text: string, kind: Toast['kind'] = 'done'): void {
  const id = ++lastId;
  toasts.value = [...toasts.value, { id, text, kind }].slice(-SHOWN_MAX);
  setTimeout(() => hide(id), SHOWN_MILLISECONDS);
}

function hide(id: number): void {
  toasts.value = toasts.value.filter(toast => toast.id !== id);
}

/** Where messages appear: once on the page. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, kind }) => (
        <div key={id} class={`toast toast-${kind}`}>
          <span>{text}</span>
          <Button kind="quiet" icon="close" label={strings.ui.close} onClick={() => hide(id)} />
        </div>
      ))}
    </div>
  );
}
