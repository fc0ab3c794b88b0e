// The head of a view: its name, what it is for in a sentence, and what can be done there.

import type { ComponentChildren } from 'preact';

/** @param lead a sentence under the name @param actions buttons beside it */
export function ViewHead({ title, lead, actions }: { title: string; lead?: string; actions?: ComponentChildren }) {
  return (
    <header class="view-head">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
  );
}
