// A card: a heading, what can be done there, and the matter.

import type { ComponentChildren } from 'preact';

interface CardProps {
  title: string;
  /** Buttons beside the heading. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A part of a view under a heading. */
export function Card({ title, actions, children }: CardProps) {
  return (
    <section class="card">
      <header class="card-head">
        <h2>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** How something stands. */
export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A word with a colour; the colour alone says nothing. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

/** The status of an answer of HTTP. */
export function StatusBadge({ of }: { of: number }) {
  return <Badge tone={of >= 500 ? 'bad' : of >= 400 ? 'warning' : 'good'}>{of}</Badge>;
}
