// The second step: data.

import type { AdminSchemas } from '../../../../build/console_api.ts';
import type { Loaded } from '../../state/load.ts';
import { hashOf } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Content } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { DATA_KINDS, type DataKind } from './data_kinds.ts';
import { Step } from './step.tsx';

const text = strings.start.data;
const COLUMNS: readonly Column<DataKind>[] = [
  { title: text.kind, cell: ({ name }) => name },
  { title: text.what, cell: ({ what }) => what },
  { title: text.where, cell: ({ where }) => where },
  { title: text.command, cell: ({ command }) => <code class="nowrap">{command}</code> },
];

/** The step. */
export function DataStep({ sources }: { sources: Loaded<AdminSchemas['Sources']> }) {
  const count = sources.value?.sources.length ?? 0;
  return (
    <Step number={2} title={text.title} lead={text.lead} isDone={count > 0}>
      <Content loaded={sources} lines={1}>
        {() => <p>{count === 0 ? text.none : text.have(count)}</p>}
      </Content>
      <Table label={text.kinds} columns={COLUMNS} rows={DATA_KINDS} keyOf={({ name }) => name} />
      <div class="actions">
        <ButtonLink href={hashOf('operate', { page: 'data' })} icon="upload">
          {text.here}
        </ButtonLink>
      </div>
    </Step>
  );
}
