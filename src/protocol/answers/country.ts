// The country of a device: by its position, or without one by the networks that it hears.

import type { Country } from '../../geocoding/address/address.ts';
import { countryOfNetworks, countryOfPoint } from '../../geocoding/address/country_names.ts';
import { CELL_RANGES } from '../../radio/ranges.ts';
import { wholeIn } from '../../radio/read_value.ts';
import type { PositionBody } from '../requests/schema.ts';

/** Names in English. */
const LANGUAGES: readonly string[] = [];

/** The country of a request. @param position of the device in degrees, if one was found */
export function countryOf(
  body: PositionBody,
  position: { latitude: number; longitude: number } | undefined,
): Country | undefined {
  const here = position && countryOfPoint(position.latitude, position.longitude, LANGUAGES);
  return here ?? countryOfNetworks(networksOf(body), LANGUAGES);
}

/** Mobile country codes of all cells, even of cells with no other value. */
function* networksOf({ cellTowers }: PositionBody): Generator<number> {
  for (const cell of cellTowers ?? []) {
    const mcc = wholeIn(
      (cell as { mobileCountryCode?: unknown } | null)?.mobileCountryCode,
      CELL_RANGES.gsm.mobileCountryCode,
      -1,
    );
    if (mcc >= 0) yield mcc;
  }
}
