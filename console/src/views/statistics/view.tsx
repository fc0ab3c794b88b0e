// Coverage on the public page: how many stations the service knows of each kind, how many are new by month, and where
// there are many. The service tells nothing that is about one station (src/tasks/public_statistics.ts).

import { useEffect } from 'preact/hooks';
import { ask } from '../../api/call.ts';
import type { BaseMap } from '../../map/base_map.ts';
import { loadStyle } from '../../map/load_style.ts';
import { MapPane } from '../../map/map_pane.tsx';
import { useLoaded } from '../../state/load.ts';
import { isDark } from '../../state/theme.ts';
import { strings } from '../../strings.ts';
import { Card } from '../../ui/card.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { ViewHead } from '../../ui/view_head.tsx';
import style from '../coverage/coverage.css?url';
import { type PublicSquare, STEPS, squaresOverlay } from './squares_overlay.ts';

const text = strings.coverage;
/** The stations are counted while somebody asks. */
const COUNTING_MILLISECONDS = 100;
const WORLD_ZOOM = 1;
const PART_ZOOM = 8;

/** What `GET /console/statistics` answers. */
interface Statistics {
  isReady: boolean;
  done: number;
  total: number;
  kinds: Record<string, number>;
  months: [month: string, stations: number][];
  squares: PublicSquare[];
}

await loadStyle(style);

/** The view. */
export default function StatisticsView() {
  const loaded = useLoaded(async signal => (await ask('GET /console/statistics', { signal })) as Statistics, []);
  useEffect(() => {
    if (loaded.value === undefined || loaded.value.isReady || loaded.error !== undefined) return;
    const timer = setTimeout(loaded.again, COUNTING_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [loaded.value, loaded.error]);
  return (
    <>
      <ViewHead title={text.title} lead={text.publicly.lead} />
      <Content loaded={loaded} lines={8}>
        {value => (value.isReady ? <Figures {...value} /> : <Counting {...value} />)}
      </Content>
    </>
  );
}

function Counting({ done, total }: Statistics) {
  const number = (value: number) => value.toLocaleString('en');
  return (
    <div class="coverage-making" role="status">
      <p>{text.publicly.counting(number(done), number(total))}</p>
      <progress max={Math.max(1, total)} value={done} aria-label={text.title} />
    </div>
  );
}

function Figures({ kinds, months, squares }: Statistics) {
  const { publicly } = text;
  const rows = Object.entries(kinds).sort((a, b) => b[1] - a[1]);
  if (rows.length === 0)
    return (
      <Empty icon="coverage" title={publicly.none}>
        {publicly.noneText}
      </Empty>
    );
  const number = ([, stations]: [string, number]) => stations.toLocaleString('en');
  const nameOf = (kind: string) => text.map.kinds[kind as keyof typeof text.map.kinds];
  return (
    <>
      <Card title={publicly.where}>
        <div class="coverage-map">
          <Squares squares={squares} />
        </div>
        <ul class="coverage-legend">
          <li>{text.map.density}</li>
          {STEPS.map(({ from, colours }) => (
            <li key={from}>
              <span class="coverage-square" style={{ background: colours[isDark.value ? 1 : 0] }} />
              {text.map.atLeast(from.toLocaleString('en'))}
            </li>
          ))}
        </ul>
        <p class="hint">{publicly.hint}</p>
      </Card>
      <Card title={publicly.kinds}>
        <Table
          label={publicly.kinds}
          rows={rows}
          keyOf={([kind]) => kind}
          columns={[
            { title: text.map.kind, cell: ([kind]) => nameOf(kind) },
            { title: text.map.title, isNumber: true, cell: number },
          ]}
        />
      </Card>
      {months.length > 0 && (
        <Card title={publicly.growth}>
          <Table
            label={publicly.growth}
            rows={months.toReversed()}
            keyOf={([month]) => month}
            columns={[
              { title: publicly.month, cell: ([month]) => month },
              { title: publicly.seen, isNumber: true, cell: number },
            ]}
          />
        </Card>
      )}
    </>
  );
}

function Squares({ squares }: Pick<Statistics, 'squares'>) {
  // The fullest is the first.
  const [fullest] = squares;
  const onReady = (map: BaseMap) => {
    map.setOverlay('squares', squaresOverlay(squares));
    return undefined;
  };
  return (
    <MapPane
      label={text.publicly.where}
      centre={fullest === undefined ? [0, 20] : [fullest.longitude, fullest.latitude]}
      zoom={fullest === undefined ? WORLD_ZOOM : PART_ZOOM}
      onReady={onReady}
    />
  );
}
