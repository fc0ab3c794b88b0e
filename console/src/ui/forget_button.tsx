// A button that has something forgotten, after it was asked for again. It says what came of it.

import { useState } from 'preact/hooks';
import { Refusal } from '../api/call.ts';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';
import { showToast } from './toast.tsx';

interface ForgetButtonProps {
  /** The words of the button, of the question and of its end. */
  words: { forget: string; title: string; text: string; forgetting: string; forgotten: string };
  /** @throws Refusal */
  forget(): Promise<void>;
  onForgotten(): void;
}

/** The button. */
export function ForgetButton({ words, forget, onForgotten }: ForgetButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const confirm = async () => {
    setIsBusy(true);
    try {
      await forget();
      showToast(words.forgotten);
      onForgotten();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      showToast(error.message, 'error');
    }
    setIsBusy(false);
    setIsAsked(false);
  };
  return (
    <div>
      <Button kind="danger" icon="trash" onClick={() => setIsAsked(true)}>
        {words.forget}
      </Button>
      {isAsked && (
        <Confirm
          title={words.title}
          action={words.forget}
          isBusy={isBusy}
          onConfirm={() => void confirm()}
          onClose={() => setIsAsked(false)}
        >
          <p>{words.text}</p>
          {isBusy && <p role="status">{words.forgetting}</p>}
        </Confirm>
      )}
    </div>
  );
}
