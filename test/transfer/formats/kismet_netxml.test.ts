import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readFile } from './read_file.ts';

const AP = '02:00:00:00:00:01';
const HEAD = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE detection-run SYSTEM "http://kismetwireless.net/kismet-3.1.0.dtd">

<detection-run kismet-version="2016.01.R1" start-time="Mon May  6 07:00:00 2024">
`;
const GPS = `    <gps-info>
      <min-lat>47.140000</min-lat><min-lon>9.520000</min-lon>
      <peak-lat>47.141000</peak-lat><peak-lon>9.521000</peak-lon><peak-alt>450.5</peak-alt>
      <avg-lat>47.142000</avg-lat><avg-lon>9.522000</avg-lon>
    </gps-info>
`;
const network = ({
  type = 'infrastructure',
  bssid = AP,
  gps = GPS,
  essid = 'Harbour &amp; Co',
  last = 'Mon May  6 07:08:09 2024',
}) => `
  <wireless-network number="1" type="${type}" first-time="Mon May  6 07:00:01 2024" last-time="${last}">
    <SSID first-time="Mon May  6 07:00:01 2024" last-time="Mon May  6 07:08:09 2024">
        <type>Beacon</type><essid cloaked="false">${essid}</essid>
    </SSID>
    <BSSID>${bssid}</BSSID>
    <channel>6</channel><freqmhz>2437 120</freqmhz><freqmhz>2432 3</freqmhz>
    <snr-info><last_signal_dbm>-80</last_signal_dbm><max_signal_dbm>-55</max_signal_dbm></snr-info>
${gps}    <wireless-client number="1" type="established"><client-mac>02:00:00:00:00:09</client-mac>
      <snr-info><max_signal_dbm>-20</max_signal_dbm></snr-info>
      <gps-info><peak-lat>1</peak-lat><peak-lon>2</peak-lon></gps-info>
    </wireless-client>
  </wireless-network>
`;

test('a network counts once, where it was heard best', async () => {
  const other = network({
    bssid: '02:00:00:00:00:02',
    gps: GPS.replaceAll(/<peak-l.*?>.*?<\/peak-l...?>/g, ''),
    essid: '',
  });
  const { format, found, refused } = await readFile(`${HEAD}${network({})}${other}</detection-run>\n`, 'k.netxml');
  expect({ format, refused }).toEqual({ format: 'kismet', refused: [] });
  expect(found.map(({ line, draft }) => [line, draft])).toEqual([
    [
      6,
      {
        timeMs: Date.UTC(2024, 4, 6, 7, 8, 9),
        latitude: 47.141,
        longitude: 9.521,
        altitude: 450.5,
        wifiAccessPoints: [{ macAddress: AP, ssid: 'Harbour & Co', signalStrength: -55, channel: 6, frequency: 2437 }],
      },
    ],
    [
      expect.any(Number),
      // Where it was on average nothing was measured.
      expect.objectContaining({
        latitude: 47.142,
        wifiAccessPoints: [{ macAddress: '02:00:00:00:00:02', channel: 6, frequency: 2437 }],
      }),
    ],
  ]);
});

test('what has no position, no time, or is no access point, is refused with its reason', async () => {
  const networks = [network({ gps: '' }), network({ last: 'soon' }), network({ type: 'probe' }), network({})];
  const { found, refused } = await readFile(gzipSync(`${HEAD}${networks.join('')}</detection-run>`));
  expect(found).toHaveLength(1);
  expect(refused.map(each => each.replace(/^\d+: /, ''))).toEqual([
    'the network has no position',
    '"soon" is no time',
    'a network of the type "probe" is no access point',
  ]);
});

test('a file that has lost its end is read up to there, and markup that is wrong does no harm', async () => {
  const wrong = network({ essid: 'a & b <' });
  const { found } = await readFile(`${HEAD}${wrong}${network({})}</detection-run>`);
  expect(found).toHaveLength(2);
  await expect(readFile(`${HEAD}${network({})}${network({}).slice(0, 400)}`)).rejects.toThrow(
    /file ends within the element <\w+> on line \d+\./,
  );
});

test('of several names of a network, one that asks not to be mapped counts', async () => {
  const essid = 'first</essid></SSID><SSID><essid>second_nomap</essid></SSID><SSID><essid>third';
  const { found } = await readFile(`${HEAD}${network({ essid })}</detection-run>`);
  expect(found[0].draft.wifiAccessPoints).toMatchObject([{ ssid: 'second_nomap' }]);
});

test('entities that a file declares are not put in', async () => {
  const bomb = `<!DOCTYPE detection-run [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "/etc/hostname">]>`;
  const { found } = await readFile(`${bomb}<detection-run>${network({ essid: '&b;&c;' })}</detection-run>`);
  expect(found[0].draft.wifiAccessPoints).toMatchObject([{ ssid: '&b;&c;' }]);
});

test.each([
  ['KML', '<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document/></kml>'],
  ['GPX', '<gpx version="1.1" creator="x"><trk/></gpx>'],
])('%s is refused by name', async (name, text) => {
  await expect(readFile(text)).rejects.toThrow(
    `file is ${name}: it shows places and tracks on a map, but no radio measurements. Export another format.`,
  );
});

test('other XML is refused', async () => {
  await expect(readFile('<?xml version="1.0"?><osm version="0.6"/>')).rejects.toThrow(
    'file is XML of none of the formats that Sextant knows',
  );
});
