// Takes files that are dropped or chosen. They may be dropped anywhere on the page: beside the zone the browser would
// leave the page and show the file.

import { useEffect, useRef, useState } from 'preact/hooks';
import { mayChange } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';

const text = strings.operate.data;

/** What the zone says. */
type Said = Readonly<Record<'readOnly' | 'drop' | 'file' | 'choose' | 'kindsOfFiles', string>>;

/** @param onFiles at least one */
export function DropZone({ onFiles, said = text }: { onFiles(files: File[]): void; said?: Said }) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])];
    if (files.length > 0 && mayChange()) onFiles(files);
  };
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer?.files);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [onFiles]);
  if (!mayChange()) return <Empty icon="upload" title={said.readOnly} />;
  const choose = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    take(currentTarget.files);
    // The same files may be chosen again.
    currentTarget.value = '';
  };
  return (
    <div class={`drop ${isOver ? 'drop-over' : ''}`}>
      <p>{said.drop}</p>
      <input ref={input} type="file" multiple hidden onChange={choose} aria-label={said.file} />
      <Button kind="primary" icon="upload" onClick={() => input.current!.click()}>
        {said.choose}
      </Button>
      <p class="small">{said.kindsOfFiles}</p>
    </div>
  );
}
