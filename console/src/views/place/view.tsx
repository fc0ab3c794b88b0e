// A place: all that is known of it, and why a search finds it where it does. Results lead here; the page is not in the
// rail.

import { useMemo } from 'preact/hooks';
import { loadStyle } from '../../map/load_style.ts';
import { useLoaded } from '../../state/load.ts';
import { hashOf, route } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy_button.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { ViewHead } from '../../ui/view_head.tsx';
import { titleOf } from '../map/place.ts';
import { keyName } from '../map/place_card.tsx';
import { OutlineMap } from './outline.tsx';
import style from './place.css?url';
import { type Place, type PlaceQuestion, questionOf, readPlace } from './place_address.ts';
import { WhyCard } from './why_card.tsx';

const text = strings.place;
const OSM = 'https://www.openstreetmap.org';

// Without its style the view would jump.
await loadStyle(style);

/** The view. */
export default function PlaceView() {
  const address = route.value.parameters.toString();
  const question = useMemo(() => questionOf(new URLSearchParams(address)), [address]);
  const loaded = useLoaded(
    async signal => ({ place: question && (await readPlace(question, signal)), question }),
    [question],
  );
  return (
    <Content loaded={loaded} lines={6}>
      {({ place, question: asked }) =>
        place === undefined ? (
          <>
            <ViewHead title={text.title} />
            <Empty icon="pin" title={text.none}>
              <p>{text.noneText}</p>
              <ButtonLink href={hashOf('try')}>{text.toSearch}</ButtonLink>
            </Empty>
          </>
        ) : (
          <Known key={address} place={place} question={asked!} />
        )
      }
    </Content>
  );
}

function Known({ place, question }: { place: Place; question: PlaceQuestion }) {
  const kind = keyName(place.addresstype ?? place.type);
  return (
    <>
      <ViewHead
        title={titleOf(place)}
        lead={`${kind} · ${place.category}=${place.type}`}
        actions={<CopyButton text={location.href} label={text.copyLink} icon="link" />}
      />
      <div class="place">
        <div class="place-parts">
          <AddressCard place={place} />
          <WhereCard place={place} />
          <WhyCard place={place} question={question} />
          <Pairs title={text.names} of={place.namedetails} titles={[text.nameKey, text.name]} />
          <Pairs title={text.tags} of={place.extratags} titles={[text.tagKey, text.tag]} />
          <SourceCard place={place} />
        </div>
        <div class="card place-map">
          <OutlineMap place={place} />
        </div>
      </div>
    </>
  );
}

function AddressCard({ place: { address } }: { place: Place }) {
  const rows = Object.entries(address);
  return (
    <Card title={text.address}>
      {rows.length === 0 ? (
        <p>{text.noAddress}</p>
      ) : (
        <dl class="facts">
          {rows.map(([key, value]) => (
            <>
              <dt>{keyName(key)}</dt>
              <dd dir="auto">{value}</dd>
            </>
          ))}
        </dl>
      )}
    </Card>
  );
}

function WhereCard({ place: { lat, lon, boundingbox } }: { place: Place }) {
  const position = `${lat}, ${lon}`;
  const [south, north, west, east] = boundingbox;
  return (
    <Card title={text.where}>
      <dl class="facts">
        <dt>{text.position}</dt>
        <dd class="place-position">
          {position} <CopyButton text={position} label={text.copyPosition} />
        </dd>
        <dt>{text.box}</dt>
        <dd>{text.boxOf(south, west, north, east)}</dd>
      </dl>
    </Card>
  );
}

/** Names or tags, if there are any. */
function Pairs({
  title,
  of = {},
  titles,
}: {
  title: string;
  of?: Record<string, string> | undefined;
  titles: [string, string];
}) {
  const rows = Object.entries(of);
  if (rows.length === 0) return null;
  return (
    <Card title={title}>
      <Table
        label={title}
        columns={[
          { title: titles[0], cell: ([key]) => <code>{key}</code> },
          { title: titles[1], cell: ([, value]) => <span dir="auto">{value}</span> },
        ]}
        rows={rows}
        keyOf={([key]) => key}
      />
    </Card>
  );
}

function SourceCard({ place: { licence, osm_type: type, osm_id: id } }: { place: Place }) {
  const kind = type as keyof typeof text.objects | undefined;
  return (
    <Card title={text.sources}>
      <dl class="facts">
        <dt>{text.licence}</dt>
        <dd>{licence}</dd>
        <dt>{text.object}</dt>
        <dd>
          {kind === undefined ? (
            text.noObject
          ) : (
            <a href={`${OSM}/${kind}/${id}`} rel="noreferrer" target="_blank">
              {text.onOsm(`${text.objects[kind]} ${id}`)}
            </a>
          )}
        </dd>
      </dl>
    </Card>
  );
}
