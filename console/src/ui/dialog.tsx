// A dialog over the page: the browser's own, which keeps the keyboard inside and gives it back.
// It begins where people type.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { strings } from '../strings.ts';
import { Button } from './button.tsx';

/** Where the keyboard begins: the first field, or the first button at the foot, which takes nothing away. */
const FIRST = '.dialog-body :is(input, select, textarea):not([hidden], [disabled]), .actions button';

interface DialogProps {
  title: string;
  onClose(): void;
  /** Buttons at its foot; the last one is what the dialog is for. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A dialog. It is open as long as it is rendered. */
export function Dialog({ title, onClose, actions, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = element.current!;
    const opener = document.activeElement as HTMLElement | null;
    dialog.showModal();
    dialog.querySelector<HTMLElement>(FIRST)?.focus();
    return () => {
      dialog.close();
      // The browser has taken the focus for that of the dialog, which goes with it.
      if (opener?.isConnected) opener.focus();
    };
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onCancel={cancel}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" icon="close" label={strings.ui.close} onClick={onClose} />
      </div>
      <div class="dialog-body">{children}</div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ComponentChildren;
  /** What the button says: what is done, not "OK". */
  action: string;
  isBusy?: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something is taken away. */
export function Confirm({ title, children, action, isBusy = false, onConfirm, onClose }: ConfirmProps) {
  const actions = (
    <>
      <Button onClick={onClose}>{strings.ui.cancel}</Button>
      <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      {children}
    </Dialog>
  );
}
