// Coverage: the stations on a map, what is known of one, where requests were not found, and how far off the service is.
// The chosen station stands in the address, so a card can be passed on.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { BaseMap } from '../../map/base_map.ts';
import { loadStyle } from '../../map/load_style.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf, navigate, route } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { ViewHead } from '../../ui/view_head.tsx';
import { AccuracyCard } from './accuracy_card.tsx';
import style from './coverage.css?url';
import { MissesCard } from './misses_card.tsx';
import { StationCard } from './station_card.tsx';
import { StationMap, type StationMapProps } from './station_map.tsx';

const text = strings.coverage;
/** The index is made while somebody asks. */
const MAKING_MILLISECONDS = 20;
/** And made again once the tables have changed. */
const RENEWED_MILLISECONDS = 30_000;
/** Closer than a town. */
const STATION_ZOOM = 16;

// Without its style the view would jump.
await loadStyle(style);

/** The view. */
export default function CoverageView() {
  const station = route.value.parameters.get('station') ?? '';
  const [map, setMap] = useState<BaseMap>();
  const [hours, setHours] = useState<'24' | '168'>('24');
  const index = useLoaded(signal => call('GET /stations', { signal }), [], RENEWED_MILLISECONDS);
  const misses = useLoaded(
    signal => call('GET /coverage/misses', { query: { hours, degrees: '0.1' }, signal }),
    [hours],
  );
  useEffect(() => {
    if (index.value === undefined || index.value.isReady || index.error !== undefined) return;
    const timer = setTimeout(index.again, MAKING_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [index.value, index.error]);
  const choose = (name: string) => navigate('coverage', name === '' ? {} : { station: name }, true);
  const show = (latitude: number, longitude: number, zoom = STATION_ZOOM) => {
    map?.map.jumpTo({ center: [longitude, latitude], zoom });
    map?.map.getContainer().scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <ViewHead title={text.title} lead={text.lead} />
      <div class="coverage">
        <Card title={text.map.title}>
          <Content loaded={index} lines={8}>
            {value => (
              <Stations index={value} station={station} misses={misses.value} onStation={choose} onMap={setMap} />
            )}
          </Content>
        </Card>
        <StationCard name={station} onName={choose} onShow={show} onForgotten={index.again} />
      </div>
      <MissesCard misses={misses} hours={hours} onHours={setHours} onShow={show} />
      <AccuracyCard />
    </>
  );
}

function Stations({ index, ...rest }: StationMapProps) {
  const { done, total } = index;
  if (!index.isReady)
    return (
      <div class="coverage-making" role="status">
        <p>{text.map.making(done.toLocaleString('en'), total.toLocaleString('en'))}</p>
        <progress max={Math.max(1, total)} value={done} aria-label={text.map.title} />
      </div>
    );
  if (total === 0)
    return (
      <Empty icon="coverage" title={text.map.none}>
        <p>{text.map.noneText}</p>
        <ButtonLink href={hashOf('operate', { page: 'data' })}>{strings.ui.toImport}</ButtonLink>
      </Empty>
    );
  return <StationMap index={index} {...rest} />;
}
