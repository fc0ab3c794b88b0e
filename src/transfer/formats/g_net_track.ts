// Reads logs of G-NetTrack, a row a second with the serving cell: text with tabs, or CSV.
//
//   Timestamp Longitude Latitude Speed Operatorname Operator CGI Cellname Node CellID LAC NetworkTech NetworkMode Level
//   2024.05.06_07.08.09 9.52 47.14 36 Phone 22801 - - 120805 1 3080 4G LTE -88
//
// Speed is km/h, Operator country and network code, with which CGI begins too. Of LTE and UMTS, CellID is the cell of a
// Node (eNodeB, RNC) where it is small enough for that; RAWCELLID, which some versions write, is the whole id.
// Neighbours have no id and are left out.
//
// Source: columns of public logs (uccmisl/5Gdataset); its maker publishes no description of the format.

import { kindOfNetworkType } from '../../radio/cell_kind.ts';
import { KIND_LTE, KIND_NR, KIND_WCDMA, radioOfKind } from '../../radio/kind.ts';
import type { Refusal } from '../files/refused_lines.ts';
import { type Row, type RowStation, type RowTable, stated } from './row_table.ts';

const NETWORK_COLUMNS = ['operator', 'cgi', 'operatorname'];
/** Of `22801`, or of the beginning of a CGI: `228-01-3080-30926080`. */
const NETWORK = /^(?<mcc>\d{3})[-/ ]?(?<mnc>\d{2,3})(?:$|[-/ ]\d)/;
const KMH_OF_MS = 3.6;
/** Cells of a node: the last bits of an id. */
const CELLS_OF_NODE: Readonly<Record<number, number>> = { [KIND_LTE]: 2 ** 8, [KIND_WCDMA]: 2 ** 16 };

/** The table below its header. */
export const G_NET_TRACK_TABLE: RowTable = {
  what: 'a log of G-NetTrack',
  hasHeader: columns => columns.has('timestamp') && (columns.has('networkmode') || columns.has('networktech')),
  required: [['timestamp'], ['latitude'], ['longitude'], NETWORK_COLUMNS, ['cellid', 'rawcellid'], ['lac']],
  time: ['timestamp'],
  isRagged: true,
  readRow(row: Row): RowStation | Refusal {
    const [mode, tech] = [row.text('networkmode'), row.text('networktech')];
    const kind = kindOfNetworkType(mode) || kindOfNetworkType(tech);
    if (kind === 0) return { rule: 'type', why: `the radio type "${mode ?? tech ?? ''}" is unknown` };
    const network = networkOf(row);
    if (network === undefined) {
      const operator = row.text('operator', 'operatorname') ?? '';
      return { rule: 'network', why: `the operator "${operator}" is not country and network code` };
    }
    const cellId = cellIdOf(row, kind);
    if (typeof cellId !== 'number') return cellId;
    const [latitude, longitude] = [row.number('latitude'), row.number('longitude')];
    const numbers = {
      accuracyMetres: row.number('accuracy'),
      altitude: row.number('altitude'),
      speed: row.number('speed') / KMH_OF_MS,
    };
    return {
      report: `${latitude} ${longitude}`,
      begin: () => ({ latitude, longitude, ...stated(numbers) }),
      list: 'cellTowers',
      entry: {
        radioType: radioOfKind(kind),
        mobileCountryCode: network.mcc,
        mobileNetworkCode: network.mnc,
        locationAreaCode: row.text('lac', 'tac'),
        cellId,
        signalStrength: row.text('level', 'rsrp'),
        primaryScramblingCode: row.text('psc', 'pci'),
      },
    };
  },
};

function networkOf(row: Row): Record<string, string> | undefined {
  const texts = NETWORK_COLUMNS.map(name => row.text(name) ?? '');
  return texts.map(text => NETWORK.exec(text)?.groups).find(groups => groups !== undefined);
}

function cellIdOf(row: Row, kind: number): number | Refusal {
  const raw = row.number('rawcellid');
  if (raw > 0) return raw;
  if (kind === KIND_NR) return { rule: 'cell id', why: 'of a 5G cell only RAWCELLID is the whole id' };
  const [node, cell] = [row.number('node'), row.number('cellid')];
  if (Number.isNaN(cell)) return { rule: 'cell id', why: 'there is no id of the cell' };
  const cells = CELLS_OF_NODE[kind];
  return node > 0 && cell < cells ? node * cells + cell : cell;
}
