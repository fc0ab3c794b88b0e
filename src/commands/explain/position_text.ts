// The explanation of a position as text, for people who support others.

import type { ExplainedStation, Explanation, KnownStation } from '../../answer/explain/explanation.ts';
import type { LeftOut } from '../../radio/query/left_out.ts';

const WHY: Record<LeftOut['why'], string> = {
  noObject: 'it is no object',
  noAddress: 'it has no readable address',
  groupAddress: 'its address is that of a group, or none',
  optedOut: 'its owner has opted out (_nomap)',
  noIdentity: 'it has neither UUID, major and minor nor an address',
  noNetwork: 'its country or network is missing or out of range',
  noArea: 'a gsm cell needs its area',
  noCell: 'it has neither a cell id nor a code',
};

/** The lines of an explanation. */
export function describePosition({ sent, stations, stages }: Explanation): string {
  const { wifiAccessPoints, bluetoothBeacons, cellTowers, leftOut, ignored } = sent;
  const lines = [
    `Sent: access points ${wifiAccessPoints}, beacons ${bluetoothBeacons}, cells ${cellTowers}`,
    ...leftOut.map(({ list, entry, why }) => `  left out: ${list}[${entry}], ${WHY[why]}`),
    ...ignored.map(({ list, entry, member }) => `  not read: ${member} of ${list}[${entry}], which is out of its range`),
    'Stations',
    ...stations.map(describeStation),
    `Time: ${stages.map(({ stage, microseconds }) => `${stage} ${microseconds} µs`).join(', ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

function describeStation({ list, entry, station, code, signalDbm, ageSeconds, known, isStray }: ExplainedStation): string {
  const name = station ?? `code ${code}`;
  const heard = [...(signalDbm === undefined ? [] : [`${signalDbm} dBm`]), ...(ageSeconds === undefined ? [] : [`${ageSeconds} s ago`])];
  const what =
    known !== undefined ? describeKnown(known) : isStray ? 'left out: it was sent beside others of too many places' : 'not known';
  return `  ${name} (${[`${list}[${entry}]`, ...heard].join(', ')}): ${what}`;
}

function describeKnown({ source, isUntrusted, latitude, longitude, r50Metres, samples, lastSeen }: KnownStation): string {
  const seen = lastSeen === undefined ? '' : `, last seen about ${lastSeen}`;
  const trust = isUntrusted ? ', by accounts that are not trusted' : '';
  const size = `half of at least ${samples} observations within ${Math.round(r50Metres)} m`;
  return `${source}${trust}, at ${latitude.toFixed(7)}, ${longitude.toFixed(7)}, ${size}${seen}`;
}
