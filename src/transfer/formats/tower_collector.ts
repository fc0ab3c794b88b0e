// Reads CSV with one row a cell, as TowerCollector and other recorders upload it to OpenCelliD, and as TowerCollector
// exports it:
//
//   lat,lon,mcc,mnc,sid,lac,tac,nid,cellid,bid,psc,pci,signal,ta,measured_at,rating,speed,direction,act,devn
//   mcc,mnc,lac,cell_id,psc,asu,dbm,ta,lat,lon,accuracy,speed,bearing,altitude,measured_at,net_type,neighboring,device
//
// `rating` is the radius of the position in metres, `act` the type of the network. `signal` is dBm where it is
// negative, otherwise Android's ASU, which counts from the weakest level that the radio type knows. `devn` names a
// model, not a device.
//
// Source: zamojski/TowerCollector, CsvUploadFormatter and CsvExportFormatter.

import type { ReportDraft } from '../../intake/draft.ts';
import { kindOfNetworkType } from '../../radio/cell_kind.ts';
import { KIND_GSM, KIND_LTE, KIND_NR, KIND_WCDMA, radioOfKind } from '../../radio/kind.ts';
import type { Refusal } from '../files/refused_lines.ts';
import { type Row, type RowStation, type RowTable, stated } from './row_table.ts';

const TIME = 'measured_at';
const CELL = ['cellid', 'cell_id'];
const TYPE = ['act', 'net_type'];

/** The table below the header. */
export const TOWER_TABLE: RowTable = {
  what: 'a table of TowerCollector',
  hasHeader: columns => columns.has(TIME),
  time: [TIME],
  required: [['lat'], ['lon'], ['mcc'], ['mnc'], ['lac'], CELL, [TIME], TYPE],
  readRow(row: Row): RowStation | Refusal {
    const act = row.text(...TYPE) ?? '';
    const kind = kindOfNetworkType(act);
    if (kind === 0) return { rule: 'type', why: `the radio type "${act}" is unknown` };
    const neighbouring = row.text('neighboring');
    return {
      report: `${row.text('lat')} ${row.text('lon')}`,
      begin: () => beginReport(row),
      list: 'cellTowers',
      entry: {
        radioType: radioOfKind(kind),
        mobileCountryCode: row.text('mcc'),
        mobileNetworkCode: row.text('mnc', 'sid'),
        locationAreaCode: row.text('lac', 'tac', 'nid'),
        cellId: row.text(...CELL, 'bid'),
        primaryScramblingCode: row.text('psc', 'pci'),
        signalStrength: dbmOf(row.number('dbm', 'signal'), kind),
        timingAdvance: row.text('ta'),
        ...(neighbouring !== undefined && { serving: neighbouring === 'true' ? 0 : 1 }),
      },
    };
  },
};

function beginReport(row: Row): ReportDraft {
  return {
    latitude: row.number('lat'),
    longitude: row.number('lon'),
    ...stated({
      accuracyMetres: row.number('rating', 'accuracy'),
      speed: row.number('speed'),
      heading: row.number('direction', 'bearing'),
      altitude: row.number('altitude'),
    }),
  };
}

/**
 * Source: Android's CellSignalStrength classes, `getAsuLevel`. For wcdma ASU up to 31 may count either of two powers,
 * so only what is above is certain.
 * @returns NaN where the level is not known
 */
function dbmOf(signal: number, kind: number): number {
  if (!(signal >= 0)) return signal;
  if (kind === KIND_GSM && signal <= 31) return 2 * signal - 113;
  if (kind === KIND_WCDMA && signal > 31 && signal <= 96) return signal - 120;
  if ((kind === KIND_LTE || kind === KIND_NR) && signal <= 97) return signal - 140;
  return Number.NaN;
}
