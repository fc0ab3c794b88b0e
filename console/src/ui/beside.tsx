// A list, and what was chosen of it: beside the list, where it stays in sight, or below it where the page is narrow,
// and scrolled to. The link that chose it carries aria-current; closing gives the keyboard back to it.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { strings } from '../strings.ts';
import { Button } from './button.tsx';

interface BesideProps {
  /** What was chosen; undefined for nothing. Another one is scrolled to. */
  chosen: string | number | undefined;
  /** The list. */
  list: ComponentChildren;
  /** What was chosen, given the button that closes it. */
  children(close: (name: string) => ComponentChildren): ComponentChildren;
  onClose(): void;
}

/** The two of them. */
export function Beside({ chosen, list, children, onClose }: BesideProps) {
  const element = useRef<HTMLDivElement>(null);
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen === undefined) return;
    const { top } = side.current!.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) side.current!.scrollIntoView();
  }, [chosen]);
  const close = () => {
    element.current!.querySelector<HTMLElement>('.beside-list a[aria-current]')?.focus();
    onClose();
  };
  return (
    <div ref={element} class={chosen === undefined ? '' : 'beside'}>
      <div class="beside-list">{list}</div>
      {chosen !== undefined && (
        <div ref={side} class="beside-side">
          {children(name => (
            <Button kind="quiet" icon="close" label={strings.ui.closeOf(name)} onClick={close} />
          ))}
        </div>
      )}
    </div>
  );
}
