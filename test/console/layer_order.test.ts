import type { LayerSpecification } from 'maplibre-gl';
import { expect, test } from 'vitest';
import { inOrder } from '../../console/src/map/layer_order.ts';

test('areas of coverage lie below the names of the ground, and points above them', () => {
  const layer = (id: string, type: string) => ({ id, type }) as LayerSpecification;
  const ground = [layer('land', 'fill'), layer('names', 'symbol')];
  const squares = { isBelowNames: true as const, layers: () => [layer('squares', 'fill'), layer('points', 'circle')] };
  const rooms = { layers: () => [layer('rooms', 'fill')] };
  expect(inOrder(ground, [rooms, squares], false).map(({ id }) => id)).toEqual([
    'land',
    'squares',
    'names',
    'rooms',
    'points',
  ]);
});
