// What is wrong with the service, and what to do. Nothing stands there if nothing is.

import { call } from '../../api/call.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy_button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Content } from '../../ui/states.tsx';

const text = strings.operate.care;
const STATUS_MILLISECONDS = 30_000;
/** Where on this page somebody can do something about a warning. */
const WAYS: Readonly<Record<string, 'keys' | 'data' | 'care'>> = {
  noKey: 'keys',
  keyEnds: 'keys',
  noStations: 'data',
  sourceOld: 'data',
  backupOld: 'care',
};

/** @param isAlwaysShown of the page Care: says so, too, where nothing is wrong */
export function Warnings({ isAlwaysShown = false }: { isAlwaysShown?: boolean }) {
  const status = useLoaded(signal => call('GET /status', { signal }), [], STATUS_MILLISECONDS);
  if (!isAlwaysShown && (status.value?.warnings.length ?? 0) === 0) return null;
  return (
    <Card title={text.warnings}>
      <Content loaded={status} lines={1}>
        {({ warnings }) =>
          warnings.length === 0 ? (
            <p class="well">
              <Icon name="check" />
              {text.allWell}
            </p>
          ) : (
            <ul class="warning-list">
              {warnings.map(({ id, text: what, remedy, command }) => (
                <li key={id}>
                  <strong>{what}</strong>
                  <p>{remedy}</p>
                  {WAYS[id] && !(isAlwaysShown && WAYS[id] === 'care') && (
                    <ButtonLink href={hashOf('operate', { page: WAYS[id] })}>{text.ways[WAYS[id]]}</ButtonLink>
                  )}
                  {command !== undefined && !remedy.includes(command) && (
                    <div class="secret">
                      <code>{command}</code>
                      <CopyButton text={command} label={text.copyCommand} />
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Content>
    </Card>
  );
}
