// The first run: what the service needs before the first device asks it.

import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { session } from '../../state/session.ts';
import { strings } from '../../strings.ts';
import { Card } from '../../ui/card.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { ViewHead } from '../../ui/view_head.tsx';

const text = strings.start;
const STATUS_MILLISECONDS = 30_000;

/** The view. */
export default function StartView() {
  const status = useLoaded(signal => call('GET /status', { signal }), [], STATUS_MILLISECONDS);
  return (
    <>
      <ViewHead title={text.title} lead={text.lead} />
      <Card title={text.service}>
        <Content loaded={status}>
          {({ version, uptimeSeconds }) => (
            <dl class="facts">
              <dt>{text.version}</dt>
              <dd>{version}</dd>
              <dt>{text.uptime}</dt>
              <dd>{durationOf(uptimeSeconds)}</dd>
              <dt>{text.address}</dt>
              <dd>
                <code>{session.value?.publicUrl}</code>
              </dd>
            </dl>
          )}
        </Content>
      </Card>
      <Card title={text.problems}>
        <Content loaded={status} lines={1}>
          {({ problems }) =>
            problems.length === 0 ? (
              <Empty icon="check" title={text.allWell}>
                {text.allWellText}
              </Empty>
            ) : (
              <ul>
                {problems.map(problem => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            )
          }
        </Content>
      </Card>
    </>
  );
}

const UNITS: readonly [seconds: number, unit: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** In the largest unit that fits. */
function durationOf(seconds: number): string {
  const [size, unit] = UNITS.find(([least]) => seconds >= least) ?? UNITS.at(-1)!;
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(seconds / size));
}
