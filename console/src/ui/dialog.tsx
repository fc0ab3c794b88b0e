// A dialog over the page: the browser's own, which keeps the keyboard inside and gives it back.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { strings } from '../strings.ts';
import { Button } from './button.tsx';

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
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => dialog.close();
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
