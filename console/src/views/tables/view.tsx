// Tables: a file is dropped, what is recognised of it is shown, and it is answered row by row. The number of the table
// is in the address. Try leads here; the page is not in the rail.

import { useCallback, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { loadStyle } from '../../map/load_style.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf, navigate, route } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { Card } from '../../ui/card.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { ViewHead } from '../../ui/view_head.tsx';
import { DropZone } from '../operate/drop_zone.tsx';
import operateStyle from '../operate/operate.css?url';
import { AnsweredTable } from './answered_table.tsx';
import { AskTable } from './ask_table.tsx';
import style from './tables.css?url';

const text = strings.tables;
const VIEW = 'tables';

// Without its style the view would jump.
await Promise.all([loadStyle(operateStyle), loadStyle(style)]);

/** The view. */
export default function TablesView() {
  const [file, setFile] = useState<File>();
  const id = Number(route.value.parameters.get('id') ?? 0);
  const take = useCallback(([first]: File[]) => setFile(first), []);
  const sent = (number: number) => {
    setFile(undefined);
    navigate(VIEW, { id: number });
  };
  return (
    <>
      <ViewHead title={text.title} lead={text.lead} />
      <div class="page">
        {file === undefined ? (
          <DropZone onFiles={take} said={text.zone} />
        ) : (
          <AskTable key={file.name} file={file} onSent={sent} onClose={() => setFile(undefined)} />
        )}
        {id > 0 && <AnsweredTable key={id} id={id} />}
        <Others shown={id} />
      </div>
    </>
  );
}

/** All tables that were sent here. @param shown number of the one that is looked at; 0 = none */
function Others({ shown }: { shown: number }) {
  const loaded = useLoaded(signal => call('GET /tables', { signal }), [shown]);
  return (
    <Card title={text.answered}>
      <Content loaded={loaded} lines={1}>
        {({ tables }) =>
          tables.length === 0 ? (
            <Empty icon="info" title={text.noneAnswered}>
              {text.noneAnsweredText}
            </Empty>
          ) : (
            <ul class="tables-list">
              {[...tables].reverse().map(({ id, kind }) => (
                <li key={id}>
                  <a href={hashOf(VIEW, { id })} {...(id === shown && { 'aria-current': 'true' as const })}>
                    {`${text.number(id)}: ${text.kinds[kind as keyof typeof text.kinds]}`}
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Content>
    </Card>
  );
}
