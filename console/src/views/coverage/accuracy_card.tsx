// What the service measured of itself, by radio and country; months are summed by the service for a kind as a whole.

import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { strings } from '../../strings.ts';
import { Card } from '../../ui/card.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';

const text = strings.coverage.accuracy;
const ALL = 'any';
type Row = AdminSchemas['Accuracy']['measured'][number];

/** The card. */
export function AccuracyCard() {
  const accuracy = useLoaded(signal => call('GET /accuracy', { signal }), []);
  return (
    <Card title={text.title}>
      <p class="lead">{text.lead}</p>
      <Content loaded={accuracy} lines={4}>
        {({ measured }) =>
          measured.length === 0 ? (
            <Empty title={text.none}>{text.noneText}</Empty>
          ) : (
            <Table
              label={text.title}
              rows={measured}
              keyOf={({ radio, country, month }) => `${radio} ${country} ${month}`}
              columns={[
                { title: text.radio, cell: nameOfRadio },
                { title: text.region, cell: nameOfRegion },
                { title: text.tested, isNumber: true, cell: ({ tested }) => tested.toLocaleString('en') },
                { title: text.median, isNumber: true, cell: ({ median }) => metres(median) },
                { title: text.p95, isNumber: true, cell: ({ p95 }) => metres(p95) },
                { title: text.inside, isNumber: true, cell: ({ insideShare }) => percent(insideShare) },
                { title: text.inside95, isNumber: true, cell: ({ inside95Share }) => percent(inside95Share) },
              ]}
            />
          )
        }
      </Content>
    </Card>
  );
}

function nameOfRadio({ radio }: Row): string {
  return strings.coverage.map.kinds[radio as keyof typeof strings.coverage.map.kinds];
}

function nameOfRegion({ country, month }: Row): string {
  if (country === ALL) return text.all;
  const name = country === '' ? text.sea : (new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country);
  return `${name}, ${month}`;
}

function metres(value: number): string {
  return text.metres(value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));
}

function percent(share: number): string {
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(share);
}
