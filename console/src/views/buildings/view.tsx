// Buildings: the floors of one with their rooms, what its fingerprint map knows of a radio, and walks played back. The
// building and the floor stand in the address.

import { useState } from 'preact/hooks';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { loadStyle } from '../../map/load_style.ts';
import { type Loaded, useLoaded } from '../../state/load.ts';
import { hashOf, navigate, route } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Content, Empty } from '../../ui/states.tsx';
import { ViewHead } from '../../ui/view_head.tsx';
import { BuildingMap } from './building_map.tsx';
import { type BuildingJson, floorsOf, roomsOf, type Step } from './building_overlay.ts';
import style from './buildings.css?url';
import { LevelsCard } from './levels_card.tsx';
import { WalkCard } from './walk_card.tsx';

const text = strings.buildings;
type Models = AdminSchemas['BuildingModels'];

// Without its style the view would jump.
await loadStyle(style);

/** The view. */
export default function BuildingsView() {
  const [after, setAfter] = useState(0);
  const models = useLoaded(
    signal => call('GET /buildings/models', { query: { after: String(after) }, signal }),
    [after],
  );
  return (
    <>
      <ViewHead title={text.title} lead={text.lead} />
      <Content loaded={models} lines={8}>
        {value =>
          value.buildings.length === 0 ? (
            <Card title={text.building}>
              <Empty icon="buildings" title={text.none}>
                <p>{text.noneText}</p>
                <ButtonLink href={hashOf('operate', { page: 'data' })}>{strings.ui.toImport}</ButtonLink>
              </Empty>
            </Card>
          ) : (
            <Models models={value} onMore={setAfter} />
          )
        }
      </Content>
    </>
  );
}

function Models({ models: { buildings, next }, onMore }: { models: Models; onMore(after: number): void }) {
  const { parameters } = route.value;
  const id = Number(parameters.get('building') ?? buildings[0].id);
  const chosen = buildings.find(each => each.id === id) ?? buildings[0];
  const options = buildings.map(each => [String(each.id), each.name || text.unnamed(each.id)] as const);
  return (
    <>
      <div class="building-choice">
        <SelectField
          label={text.building}
          value={String(chosen.id)}
          options={options}
          onChange={building => navigate('buildings', { building }, true)}
        />
        {next !== undefined && <Button onClick={() => onMore(next)}>{text.more}</Button>}
      </div>
      <BuildingView key={chosen.id} model={chosen} />
    </>
  );
}

function BuildingView({ model }: { model: Models['buildings'][number] }) {
  const { id } = model;
  const building = useLoaded(signal => call('GET /buildings/{id}', { path: { id }, signal }), [id]);
  return (
    <Content loaded={building} lines={8}>
      {value => <Floors model={model} building={value} />}
    </Content>
  );
}

interface FloorsProps {
  model: Models['buildings'][number];
  building: BuildingJson;
}

function Floors({ model, building }: FloorsProps) {
  const floors = floorsOf(building);
  const ground = floors.find(([index]) => index === 0) ?? floors.at(-1);
  const asked = route.value.parameters.get('floor');
  const floor = asked === null ? (ground?.[0] ?? 0) : Number(asked);
  const [radio, setRadio] = useState('');
  const [walk, setWalk] = useState<{ steps: readonly Step[]; current: number }>();
  const name = model.name || text.unnamed(model.id);
  const levels = useLevels(model, floor, radio);
  const show = (index: number) => navigate('buildings', { building: model.id, floor: index }, true);
  const follow = (steps: readonly Step[], current: number) => {
    setWalk(steps.length === 0 ? undefined : { steps, current });
    const { floorIndex } = (steps[current]?.indoor ?? {}) as { floorIndex?: number };
    if (floorIndex !== undefined && floorIndex !== floor) show(floorIndex);
  };
  return (
    <div class="building">
      <Card title={name}>
        {floors.length === 0 ? (
          <p class="hint">{text.noFloors}</p>
        ) : (
          <FloorSwitch floors={floors} floor={floor} onFloor={show} />
        )}
        <BuildingMap name={name} building={building} floor={floor} levels={levels?.value} walk={walk} />
        <Rooms building={building} floor={floor} />
      </Card>
      <div class="building-side">
        <LevelsCard levels={levels} radio={radio} onRadio={setRadio} />
        <WalkCard onStep={follow} />
      </div>
    </div>
  );
}

/** What the map knows of the floor; undefined where there is none. */
function useLevels(
  { id, hasMap }: FloorsProps['model'],
  floor: number,
  radio: string,
): Loaded<AdminSchemas['Levels'] | undefined> | undefined {
  const loaded = useLoaded(
    async signal =>
      hasMap
        ? call('GET /buildings/{id}/levels', {
            path: { id },
            query: { floor: String(floor), ...(radio !== '' && { radio }) },
            signal,
          })
        : undefined,
    [id, hasMap, floor, radio],
  );
  return hasMap ? loaded : undefined;
}

interface FloorSwitchProps {
  floors: readonly (readonly [index: number, label: string])[];
  floor: number;
  onFloor(index: number): void;
}

function FloorSwitch({ floors, floor, onFloor }: FloorSwitchProps) {
  return (
    <fieldset class="building-floors">
      <legend class="visually-hidden">{text.floors}</legend>
      {floors.map(([index, label]) => (
        <Button key={index} pressed={index === floor} onClick={() => onFloor(index)}>
          <span class="visually-hidden">{text.floor} </span>
          {label}
        </Button>
      ))}
    </fieldset>
  );
}

function Rooms({ building, floor }: { building: BuildingJson; floor: number }) {
  const rooms = roomsOf(building, floor);
  return (
    <details>
      <summary>
        {text.rooms} ({rooms.length})
      </summary>
      {rooms.length === 0 ? (
        <p class="hint">{text.noRooms}</p>
      ) : (
        <ul class="building-rooms">
          {rooms.map(({ name, at }) => (
            <li key={`${name} ${at}`}>{name}</li>
          ))}
        </ul>
      )}
    </details>
  );
}
