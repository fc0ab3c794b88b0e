// Plays back where a device was: its logged positions that follow each other.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, SelectField, TextField } from '../../ui/field.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import type { Step } from './building_overlay.ts';

const text = strings.buildings.walk;
/** From position to position. */
const STEP_MILLISECONDS = 600;
/** What the log keeps. */
const HOURS = '168';

interface WalkCardProps {
  /** The positions of a walk and the one that is shown; none for no walk. */
  onStep(steps: readonly Step[], current: number): void;
}

/** The card. */
export function WalkCard({ onStep }: WalkCardProps) {
  const [typed, setTyped] = useState('');
  const [device, setDevice] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    setDevice(typed.trim());
  };
  return (
    <Card title={text.title}>
      <form class="building-device" onSubmit={submit}>
        <TextField label={text.device} hint={text.deviceHint} value={typed} onInput={setTyped} />
        <Button type="submit" icon="search">
          {text.load}
        </Button>
      </form>
      {device !== '' && <Walks key={device} device={device} onStep={onStep} />}
    </Card>
  );
}

function Walks({ device, onStep }: WalkCardProps & { device: string }) {
  const walks = useLoaded(signal => call('GET /walks', { query: { device, hours: HOURS }, signal }), [device]);
  const [chosen, setChosen] = useState('0');
  useEffect(() => () => onStep([], 0), []);
  return (
    <Content loaded={walks}>
      {({ walks: found }) =>
        found.length === 0 ? (
          <Empty title={text.none}>{text.noneText}</Empty>
        ) : (
          <>
            <SelectField
              label={text.walk}
              value={chosen}
              options={found.map(({ from, steps }, i) => [String(i), text.option(timeOf(from), steps.length)] as const)}
              onChange={setChosen}
            />
            <Player key={chosen} steps={found[Number(chosen)].steps} onStep={onStep} />
          </>
        )
      }
    </Content>
  );
}

function Player({ steps, onStep }: WalkCardProps & { steps: readonly Step[] }) {
  const [current, setCurrent] = useState(0);
  const [isPlaying, setIsPlaying] = useState(false);
  useEffect(() => onStep(steps, current), [steps, current]);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setCurrent(before => Math.min(before + 1, steps.length - 1));
    }, STEP_MILLISECONDS);
    return () => clearInterval(timer);
  }, [isPlaying, steps]);
  useEffect(() => {
    if (current === steps.length - 1) setIsPlaying(false);
  }, [current, steps]);
  const play = () => {
    if (!isPlaying && current === steps.length - 1) setCurrent(0);
    setIsPlaying(!isPlaying);
  };
  const spoken = text.step(current + 1, steps.length, timeOf(steps[current].time));
  return (
    <>
      <Field label={text.position}>
        {control => (
          <input
            type="range"
            class="building-slider"
            {...control}
            min={0}
            max={steps.length - 1}
            value={current}
            aria-valuetext={spoken}
            onInput={event => setCurrent(Number(event.currentTarget.value))}
          />
        )}
      </Field>
      <div class="actions">
        <Button icon={isPlaying ? 'pause' : 'play'} onClick={play}>
          {isPlaying ? text.pause : text.play}
        </Button>
        <span>{spoken}</span>
      </div>
      <p class="hint">{describe(steps[current])}</p>
    </>
  );
}

function describe({ accuracy, indoor }: Step): string {
  const { floorIndex, floorLabel, room } = (indoor ?? {}) as {
    floorIndex?: number;
    floorLabel?: string;
    room?: string;
  };
  const within = text.accuracy(accuracy.toLocaleString('en'));
  return floorIndex === undefined ? within : `${text.where(floorLabel ?? String(floorIndex), room ?? '')}, ${within}`;
}

function timeOf(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}
