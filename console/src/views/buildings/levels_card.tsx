// Chooses the radio whose levels the map shows.

import type { Loaded } from '../../state/load.ts';
import { isDark } from '../../state/theme.ts';
import { strings } from '../../strings.ts';
import { Card } from '../../ui/card.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Content } from '../../ui/states.tsx';
import { LEVEL_COLOURS, type Levels } from './building_overlay.ts';

const text = strings.buildings.levels;

interface LevelsCardProps {
  /** Undefined where the building was not surveyed. */
  levels: Loaded<Levels | undefined> | undefined;
  radio: string;
  onRadio(radio: string): void;
}

/** The card. */
export function LevelsCard({ levels, radio, onRadio }: LevelsCardProps) {
  return (
    <Card title={text.title}>
      {levels === undefined ? (
        <p class="hint">{text.noMap}</p>
      ) : (
        <Content loaded={levels as Loaded<Levels>}>
          {({ radios, places }) => (
            <>
              <SelectField
                label={text.radio}
                hint={radios.length === 0 ? text.notHeard : text.hint}
                value={radio}
                options={[
                  ['', text.none],
                  ...radios.map(
                    each => [each.radio, text.option(each.radio, each.places.toLocaleString('en'))] as const,
                  ),
                ]}
                onChange={onRadio}
              />
              <Scale />
              <Strongest places={places} />
            </>
          )}
        </Content>
      )}
    </Card>
  );
}

function Scale() {
  const [weak, strong] = LEVEL_COLOURS[isDark.value ? 1 : 0];
  return (
    <>
      <p class="building-scale">
        {text.weak}
        <span class="building-ramp" style={{ background: `linear-gradient(to right, ${weak}, ${strong})` }} />
        {text.strong}
      </p>
      <p class="hint">{text.places}</p>
    </>
  );
}

function Strongest({ places }: Pick<Levels, 'places'>) {
  const levels = places.flatMap(({ levelDbm }) => levelDbm ?? []);
  return levels.length === 0 ? null : <p>{text.strongest(Math.max(...levels).toFixed(0))}</p>;
}
