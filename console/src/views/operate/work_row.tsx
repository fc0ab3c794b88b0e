// Something that takes long: an import, a removal, a backup, a check. How far it is, and how it ended.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, type Tone } from '../../ui/card.tsx';

const text = strings.operate.work;
/** Before so much of it has passed, what is left is a guess. */
const KNOWN_PERCENT = 2;

/** Work as the service tells it. */
export interface Work {
  id: number;
  title: string;
  state: 'waiting' | 'fetching' | 'receiving' | 'importing' | 'running' | 'done' | 'failed' | 'cancelled';
  percent?: number;
  progress?: { phase: string };
  result?: unknown;
  error?: string;
}

const TONES: Readonly<Record<Work['state'], Tone>> = {
  waiting: 'neutral',
  fetching: 'neutral',
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
  const left = useSecondsLeft(isUnderWay ? percent : undefined, progress?.phase ?? state);
  return (
    <article class="work" aria-label={label}>
      <div class="work-head">
        <strong>{title}</strong>
        <Badge tone={TONES[state]}>{text.states[state]}</Badge>
        {isUnderWay && (
          <span class="muted small">
            {[
              progress?.phase,
              percent === undefined ? undefined : `${percent} %`,
              left === undefined ? undefined : text.left(left),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        )}
        {isUnderWay && onCancel && <Button kind="quiet" icon="close" label={text.cancel(label)} onClick={onCancel} />}
      </div>
      {isUnderWay && <Bar label={label} percent={percent} />}
      {error !== undefined && <p class="field-error">{error}</p>}
      {state === 'done' && children}
    </article>
  );
}

/** How far it is; a bar that moves where nobody knows. */
function Bar({ label, percent }: { label: string; percent: number | undefined }) {
  return (
    <div
      class={`bar ${percent === undefined ? 'bar-unknown' : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent !== undefined && { 'aria-valuenow': percent })}
    >
      <span style={{ width: `${percent ?? 30}%` }} />
    </div>
  );
}

/**
 * Seconds that are left by the speed since this page has seen it, or since its phase began.
 * @param percent undefined where it is not known
 */
function useSecondsLeft(percent: number | undefined, phase: string): number | undefined {
  const from = useRef<{ atMs: number; percent: number; phase: string }>(undefined);
  if (percent === undefined) return undefined;
  const before = from.current;
  if (before === undefined || before.phase !== phase || percent < before.percent) {
    from.current = { atMs: performance.now(), percent, phase };
    return undefined;
  }
  const done = percent - before.percent;
  if (done < KNOWN_PERCENT) return undefined;
  return Math.ceil((((performance.now() - before.atMs) / done) * (100 - percent)) / 1000);
}
