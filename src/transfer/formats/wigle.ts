// Reads CSV of the WiGLE app, versions 1.4 and 1.6, which many recorders write.
//
//   WigleWifi-1.6,appRelease=2.78,model=...
//   MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type
//
// 1.4 lacks Frequency, RCOIs and MfgrId. The column MAC also holds the identity of cells: `310260_7033_17811` for
// network, area and cell id, cdma `4139_12_3611` for system, network and base station id. FirstSeen is UTC.
//
// Source: api.wigle.net/csvFormat.html.

import type { ReportDraft } from '../../intake/draft.ts';
import { kindOfNetworkType } from '../../radio/cell_kind.ts';
import { radioOfKind } from '../../radio/kind.ts';
import type { Refusal } from '../files/refused_lines.ts';
import { type Row, type RowStation, type RowTable, stated } from './row_table.ts';

/** The first line begins with this. */
export const WIGLE_MARK = 'WigleWifi-1.';

const CELL = /^(\d+)_(\d+)_(\d+)$/;
const MCC_DIGITS = 3;

/** The table below the line that names the recorder. */
export const WIGLE_TABLE: RowTable = {
  what: 'a WiGLE file',
  hasHeader: columns => columns.has('mac') && columns.has('rssi'),
  time: ['firstseen'],
  required: [['mac'], ['firstseen'], ['rssi'], ['currentlatitude'], ['currentlongitude'], ['type']],
  readRow(row: Row): RowStation | Refusal {
    const station = readStation(row);
    if ('why' in station) return station;
    const report = `${row.text('currentlatitude')} ${row.text('currentlongitude')}`;
    return { ...station, report, begin: () => beginReport(row) };
  },
};

function beginReport(row: Row): ReportDraft {
  const accuracy = row.number('accuracymeters');
  const altitude = row.number('altitudemeters');
  return {
    latitude: row.number('currentlatitude'),
    longitude: row.number('currentlongitude'),
    // Recorders write 0 for what they do not know.
    ...stated({ accuracyMetres: accuracy > 0 ? accuracy : Number.NaN, altitude }),
  };
}

function readStation(row: Row): Pick<RowStation, 'list' | 'entry'> | Refusal {
  const type = row.text('type') ?? '';
  const address = row.text('mac') ?? '';
  const signalStrength = row.number('rssi');
  switch (type) {
    case 'WIFI': {
      const entry = {
        macAddress: address,
        ssid: row.text('ssid'),
        signalStrength,
        channel: row.number('channel'),
        frequency: row.number('frequency'),
      };
      return { list: 'wifiAccessPoints', entry };
    }
    case 'BT':
    case 'BLE':
      return { list: 'bluetoothBeacons', entry: { macAddress: address, signalStrength } };
  }
  const radioType = radioOfKind(kindOfNetworkType(type));
  if (radioType === undefined) return { rule: 'type', why: `the type "${type}" is unknown` };
  const parts = CELL.exec(address);
  if (parts === null) return { rule: 'cell', why: `"${address}" is not network, area and cell id joined by "_"` };
  const [, network, area, cell] = parts;
  const identity =
    radioType === 'cdma'
      ? { mobileNetworkCode: network }
      : { mobileCountryCode: network.slice(0, MCC_DIGITS), mobileNetworkCode: network.slice(MCC_DIGITS) };
  return {
    list: 'cellTowers',
    entry: { radioType, ...identity, locationAreaCode: area, cellId: cell, signalStrength },
  };
}
