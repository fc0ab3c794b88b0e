// A client with the requests that only the laboratory sends: guesses by one fallback, and positions in buildings.

import { present } from '../src/indoor/transfer/surveys/line_value.ts';
import { type Guess, questionOf, ServiceClient } from './evaluation/client.ts';
import type { Position, Scan } from './evaluation/scan.ts';

/** An answer in a building; members that are not known are undefined. */
export interface IndoorAnswer extends Position {
  /** Radius that should hold half of the truths. */
  accuracyMetres: number | undefined;
  building: string | undefined;
  floor: number | undefined;
  room: string | undefined;
}

/** A service under evaluation. */
export class LabClient extends ServiceClient {
  /**
   * Asks the service to guess a cell by a fallback, with the radii for all shares; undefined if it does not.
   * @param entry of `cellTowers`
   * @param fallback the flag to set
   * @throws Error with the answer if it is neither
   */
  guess(entry: Readonly<Record<string, number | string>>, fallback: string): Promise<Guess | undefined> {
    return this.askForRadii({ cellTowers: [entry], fallbacks: { [fallback]: 1 } });
  }

  /**
   * Asks where in a building a scan was made; undefined if the service finds no position.
   * @param device what it sends as well: its id, the state of its last answer and what its sensors say
   * @throws Error with the answer if it is neither
   */
  async locateIndoors(
    scan: Scan,
    { id, ...more }: { id?: string; state?: string | undefined; sensors?: readonly object[] | undefined } = {},
  ): Promise<(IndoorAnswer & { state: string | undefined }) | undefined> {
    const answer = await this.question({ ...questionOf(scan), ...present(more), indoor: 1 }, id);
    if (answer === undefined) return undefined;
    const { location, accuracy, indoor = {}, state } = answer;
    const { building, floorIndex, room } = indoor;
    return {
      latitude: location.lat,
      longitude: location.lng,
      accuracyMetres: accuracy,
      building,
      floor: floorIndex,
      room,
      state,
    };
  }
}
