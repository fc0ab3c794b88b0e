// Reads CSV that CellMapper records, a row a cell, mostly without a header:
//
//   latitude,longitude,altitude,MCC,MNC,LAC,CID,signal,type,subtype,ARFCN,PSC
//
// Rows have no time. The app writes a file a day with the day in its name, which is then their time, and otherwise the
// last change of the file.
//
// Source: docs.cellmapper.net, "CellMapper CSV".

import { kindOfNetworkType } from '../../radio/cell_kind.ts';
import { radioOfKind } from '../../radio/kind.ts';
import type { Refusal } from '../files/refused_lines.ts';
import { type Row, type RowStation, type RowTable, stated } from './row_table.ts';

const COLUMNS = 'latitude,longitude,altitude,mcc,mnc,lac,cid,signal,type,subtype,arfcn,psc'.split(',');
const CELL = ['cid', 'cell id', 'cellid'];
/** A file is known by a row up to the type of the cell. */
const COLUMNS_KNOWN = 9;

/** The table, with or without its header. */
export const CELL_MAPPER_TABLE: RowTable = {
  what: 'a table of CellMapper',
  hasHeader: columns => columns.has('subtype') && columns.has('mcc'),
  columnsOf: row => (isRow(row) ? [...COLUMNS, ...row.slice(COLUMNS.length).map((_, i) => `more ${i}`)] : undefined),
  required: [['latitude'], ['longitude'], ['mcc'], ['mnc'], ['lac'], CELL, ['signal'], ['type']],
  time: ['timestamp', 'time', 'date'],
  isOfFileTime: true,
  isRagged: true,
  readRow(row: Row): RowStation | Refusal {
    const kind = kindOfNetworkType(row.text('type')) || kindOfNetworkType(row.text('subtype'));
    if (kind === 0) return { rule: 'type', why: `the radio type "${row.text('type') ?? ''}" is unknown` };
    const [latitude, longitude] = [row.number('latitude'), row.number('longitude')];
    return {
      report: `${latitude} ${longitude}`,
      begin: () => ({ latitude, longitude, ...stated({ altitude: row.number('altitude') }) }),
      list: 'cellTowers',
      entry: {
        radioType: radioOfKind(kind),
        mobileCountryCode: row.text('mcc'),
        mobileNetworkCode: row.text('mnc'),
        locationAreaCode: row.text('lac'),
        cellId: row.text(...CELL),
        signalStrength: row.text('signal'),
        primaryScramblingCode: row.text('psc', 'psc or pci', 'pci'),
      },
    };
  },
};

function isRow(row: readonly string[]): boolean {
  const [latitude, longitude, , mcc, mnc] = row;
  return (
    row.length >= COLUMNS_KNOWN &&
    [latitude, longitude].every(text => /^\s*-?\d{1,3}\.\d+\s*$/.test(text)) &&
    [mcc, mnc].every(text => /^\s*\d{1,3}\s*$/.test(text)) &&
    kindOfNetworkType(row[8].trim()) !== 0
  );
}
