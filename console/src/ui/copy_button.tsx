// Copies a text to the clipboard.

import { strings } from '../strings.ts';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { showToast } from './toast.tsx';

/** @param label what is copied */
export function CopyButton({ text, label, icon = 'copy' }: { text: string; label: string; icon?: IconName }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast(strings.ui.copied);
    } catch {
      showToast(strings.ui.notCopied, 'error');
    }
  };
  return <Button kind="quiet" icon={icon} label={label} onClick={() => void copy()} />;
}
