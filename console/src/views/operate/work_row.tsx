// Something that takes long: an import, a removal, a backup, a check. How far it is, and how it ended.

import type { ComponentChildren } from 'preact';
import { strings } from '../../strings.ts';
import { Badge, type Tone } from '../../ui/card.tsx';

const text = strings.operate.work;

/** Work as the service tells it. */
export interface Work {
  id: number;
  title: string;
  state: 'receiving' | 'importing' | 'running' | 'done' | 'failed';
  percent?: number;
  progress?: { phase: string };
  result?: unknown;
  error?: string;
}

const TONES: Readonly<Record<Work['state'], Tone>> = {
  receiving: 'neutral',
  importing: 'neutral',
  running: 'neutral',
  done: 'good',
  failed: 'bad',
};

/** A row of a list of works. @param children what it brought, once it is done */
export function WorkRow({ of, children }: { of: Work; children?: ComponentChildren }) {
  const { id, title, state, percent, progress, error } = of;
  const isUnderWay = state !== 'done' && state !== 'failed';
  const label = `${title}, ${text.number(id)}`;
  return (
    <article class="work" aria-label={label}>
      <div class="work-head">
        <strong>{title}</strong>
        <Badge tone={TONES[state]}>{text.states[state]}</Badge>
        {isUnderWay && (
          <span class="muted small">
            {[progress?.phase, percent === undefined ? undefined : `${percent} %`].filter(Boolean).join(' · ')}
          </span>
        )}
      </div>
      {isUnderWay && <progress max={100} {...(percent !== undefined && { value: percent })} aria-label={label} />}
      {error !== undefined && <p class="field-error">{error}</p>}
      {state === 'done' && children}
    </article>
  );
}
