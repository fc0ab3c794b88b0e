// Bodies of positioning requests as they are really sent: all those of the corpus, those of the benchmarks, and one for
// each client that is known to differ from them. The fuzz of the scanner starts from them.

import { renderBody, scanAt } from '../../bench/requests.ts';
import { createWorld } from '../../bench/world.ts';
import type { Step } from '../corpus/exchange.ts';
import { bodyRequests } from '../corpus/requests/bodies.ts';
import { clientRequests } from '../corpus/requests/clients.ts';
import { fallbackRequests } from '../corpus/requests/fallbacks.ts';
import { fieldRequests } from '../corpus/requests/fields.ts';
import { limitRequests } from '../corpus/requests/limits.ts';
import { positionRequests } from '../corpus/requests/positions.ts';
import { protocolRequests } from '../corpus/requests/protocol.ts';
import { trackingRequests } from '../corpus/requests/tracking.ts';

/** Bodies of one origin. */
export interface Shape {
  name: string;
  bodies: readonly Buffer[];
}

const CORPUS: readonly (readonly [name: string, steps: () => Iterable<Step>])[] = [
  ['corpus: positions', positionRequests],
  ['corpus: fields', fieldRequests],
  ['corpus: fallbacks', fallbackRequests],
  ['corpus: clients', clientRequests],
  ['corpus: tracking', trackingRequests],
  ['corpus: limits', limitRequests],
  ['corpus: protocol', protocolRequests],
  ['corpus: bodies', bodyRequests],
];
const POSITION_PATH = /^\/+(?:(?:geolocation\/+)?v1\/+geolocate\/*)?(?:\?|$)/;

const BENCH_BODIES = 200;
const BENCH_STATIONS = 20_000;

const ACCESS_POINT = '"macAddress":"00:14:bf:aa:bb:0';
const CLIENTS: readonly string[] = [
  `{"wifiAccessPoints":[{"macAddress":"00-14-bf-aa-bb-01","signalStrength":-60},{"macAddress":"00-14-bf-aa-bb-02","signalStrength":-71}]}`,
  `{"wifiAccessPoints":[{"age":0,"channel":6,"macAddress":"00-14-bf-aa-bb-01","signalStrength":-60,"signalToNoiseRatio":24}]}`,
  `{"radioType":"gsm","considerIp":false,"cellTowers":[{"radioType":"lte","cellId":43002120,"locationAreaCode":30801,"mobileCountryCode":262,"mobileNetworkCode":1,"signalStrength":-97}],"wifiAccessPoints":[{${ACCESS_POINT}1","signalStrength":-60,"ssid":"Café ` +
    `☕ \\"7\\"","age":1200},{${ACCESS_POINT}2","signalStrength":-71,"ssid":"my_nomap","age":900}]}`,
  `{"considerIp":false,"wifiAccessPoints":[{${ACCESS_POINT}1","age":381,"channel":36,"frequency":5180,"signalStrength":-60,"ssid":"x"},{${ACCESS_POINT}2","age":381,"channel":1,"frequency":2412,"signalStrength":-70,"ssid":"\\u4f60\\u597d"},{${ACCESS_POINT}3","age":12,"channel":11,"frequency":2462,"signalStrength":-80,"ssid":""}],"fallbacks":{"lacf":false,"ipf":false}}`,
  `{"homeMobileCountryCode":262,"homeMobileNetworkCode":1,"radioType":"wcdma","carrier":"T","cellTowers":[{"radioType":"wcdma","mobileCountryCode":262,"mobileNetworkCode":1,"locationAreaCode":801,"cellId":4300212,"age":150,"psc":14,"signalStrength":-87},{"radioType":"gsm","mobileCountryCode":262,"mobileNetworkCode":1,"locationAreaCode":801,"cellId":4300,"psc":3,"asu":12}],"fallbacks":{"lacf":true,"ipf":false}}`,
  `{"considerIp":true,"bluetoothBeacons":[{"macAddress":"ff:23:45:67:89:ab","beaconType":533,"id1":"f7826da6-4fa2-4e98-8024-bc5b71e0893e","id2":"1","id3":"2","age":100,"signalStrength":-70},{"macAddress":"ff:23:45:67:89:ac","name":"tag","uuid":"f7826da64fa24e988024bc5b71e0893e","major":7,"minor":65535,"age":"40","signalStrength":-70.5}],"cellTowers":[{"radioType":"nr","mobileCountryCode":244,"mobileNetworkCode":5,"locationAreaCode":42,"newRadioCellId":68719476735,"age":700,"primaryScramblingCode":321,"serving":1,"signalStrength":-99,"timingAdvance":3}]}`,
  `{"radioType":"gsm","considerIp":false,"cellTowers":[{"cellId":43002120,"locationAreaCode":30801,"mobileCountryCode":262,"mobileNetworkCode":1}]}`,
  `{\r\n  "id": "tracker-7",\r\n  "nr": 12,\r\n  "gps": {\r\n    "latitude": 52.520006599999996,\r\n    ` +
    `"longitude": 13.404953999999975,\r\n    "accuracy": 12.5,\r\n    "age": 30\r\n  },\r\n  "wifiAccessPoints": ` +
    `[\r\n    { "macAddress": "0014BFAABB01", "ssidHex": "4f70656e5f6e6f6d6170", "signalStrength": -6.05e1, ` +
    `"age": "120" },\r\n    { "macAddress": "0014.bfaa.bb02", "ssidHex": "4f70656e", "signalStrength": "-70", ` +
    `"frequency": 2412.0 }\r\n  ],\r\n  "timestamp": "2026-05-04T08:00:00Z",\r\n  "confidence": 95,\r\n  ` +
    `"speedLimit": 41.7,\r\n  "credits": 1,\r\n  "expires": true\r\n}\r\n`,
  `{"cellTowers":[{"radioType":"NB-IoT","mobileCountryCode":"206","mobileNetworkCode":"01","locationAreaCode":3041,"cellId":19664385,"signalStrength":-101,"serving":"1"},{"primaryScramblingCode":213,"mobileCountryCode":206,"mobileNetworkCode":1,"radioType":"lte","signalStrength":-110,"timingAdvance":17}],"radioType":"nbiot","lastLocation":{"lat":50.5,"lng":4.25,"accuracy":30,"timestamp":1900000000},"state":"abc","sensors":[{"pressure":1013.25,"steps":12}],"geoname":1,"address":0,"indoor":1,"fallbacks":{"all":1,"cidxf":0}}`,
];

/** All shapes, each body once. */
export function drawShapes(): Shape[] {
  const world = createWorld(BENCH_STATIONS, 1);
  const numbers = Array.from({ length: BENCH_BODIES }, (_, number) => number);
  return [
    ...CORPUS.map(([name, steps]) => ({ name, bodies: bodiesOf(steps()) })),
    ...(['access points and cells', 'access points', 'cells'] as const).map(named => ({
      name: `benchmark: ${named}`,
      bodies: numbers.map(number => Buffer.from(renderBody(scanAt(world, number), named))),
    })),
    { name: 'known clients', bodies: CLIENTS.map(body => Buffer.from(body)) },
  ];
}

/** The bodies of positioning requests, as they are before compression. */
function bodiesOf(steps: Iterable<Step>): Buffer[] {
  const bodies = new Map<string, Buffer>();
  for (const step of steps) {
    if (step === 'aggregate' || step.method !== 'POST' || step.body === undefined || !POSITION_PATH.test(step.path))
      continue;
    const bytes = Buffer.from(step.body);
    bodies.set(bytes.toString('latin1'), bytes);
  }
  return [...bodies.values()];
}
