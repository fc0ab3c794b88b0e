// Something that takes long: an import, a removal, a backup, a check. How far it is, and how it ended.

import type { ComponentChildren } from 'preact';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, type Tone } from '../../ui/card.tsx';

const text = strings.operate.work;

/** Work as the service tells it. */
export interface Work {
  id: number;
  title: string;
  state: 'receiving' | 'importing' | 'running' | 'done' | 'failed' | 'cancelled';
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
  cancelled: 'warning',
};

/** True if nothing of it is under way any more. */
export function isEnded({ state }: Pick<Work, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** A row of a list of works. @param onCancel of one that can end early @param children what a done one brought */
export function WorkRow({ of, onCancel, children }: { of: Work; onCancel?: () => void; children?: ComponentChildren }) {
  const { id, title, state, percent, progress, error } = of;
  const isUnderWay = !isEnded(of);
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
        {isUnderWay && onCancel && <Button kind="quiet" icon="close" label={text.cancel(label)} onClick={onCancel} />}
      </div>
      {isUnderWay && <progress max={100} {...(percent !== undefined && { value: percent })} aria-label={label} />}
      {error !== undefined && <p class="field-error">{error}</p>}
      {state === 'done' && children}
    </article>
  );
}
