// A step of the checklist: its number, or a tick once it is done.

import type { ComponentChildren } from 'preact';
import { strings } from '../../strings.ts';
import { Icon } from '../../ui/icon.tsx';

interface StepProps {
  number: number;
  title: string;
  lead: string;
  isDone: boolean;
  children: ComponentChildren;
}

/** A step, in a list of them. */
export function Step({ number, title, lead, isDone, children }: StepProps) {
  return (
    <li class="card step">
      <span class={`step-mark${isDone ? ' step-done' : ''}`} aria-hidden="true">
        {isDone ? <Icon name="check" /> : number}
      </span>
      <div class="step-body">
        <h2>
          {title}
          {isDone && <span class="visually-hidden">, {strings.start.done}</span>}
        </h2>
        <p class="lead">{lead}</p>
        {children}
      </div>
    </li>
  );
}

/** A text to be pasted, with what copies it. */
export function Pasted({ text, children }: { text: string; children?: ComponentChildren }) {
  return (
    <div class="pasted">
      <pre>
        <code>{text}</code>
      </pre>
      {children}
    </div>
  );
}
