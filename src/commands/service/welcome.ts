// What the first start of a new data folder prints: the demo key, and a line to try it that works as it stands.

import { isIPv6 } from 'node:net';
import type { Config } from '../../config.ts';

const BODY =
  '{"wifiAccessPoints":[{"macAddress":"02:00:5e:00:00:d3","signalStrength":-50},{"macAddress":"02:00:5e:00:00:d4","signalStrength":-60},{"macAddress":"02:00:5e:00:00:e7","signalStrength":-58}]}';
/**
 * How the program is called: in a checkout, which has its sources, by npx; as an installed package (deploy/package.ts)
 * by its name.
 */
const PROGRAM = import.meta.filename.endsWith('.ts') ? 'npx sextant' : 'sextant';
/** Addresses that stand for all addresses of the machine, and the one under which the machine reaches itself. */
const ANY_ADDRESS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/**
 * The text, which contains the key. The demo key is refused where requests do not come from the loopback interface or
 * through a proxy: then another key is made.
 */
export function welcome(
  config: Pick<Config, 'host' | 'tlsCertificateFile' | 'trustProxy' | 'dataFolder'>,
  port: number,
  key: string,
): string {
  const host = ANY_ADDRESS.get(config.host) ?? config.host;
  const scheme = config.tlsCertificateFile === undefined ? 'http' : 'https';
  const url = `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  // The certificate names the host that clients use, which is not this address.
  const curl = config.tlsCertificateFile === undefined ? 'curl' : 'curl -k';
  const why = refusalOf(config.trustProxy !== undefined, host);
  const lines =
    why === undefined
      ? ['Try it:', `  ${curl} '${url}/?key=${key}' -d '${BODY}'`]
      : [
          `It is refused here, because ${why}. Make another key and try that:`,
          `  KEY=$(${PROGRAM} keys create --name test --data '${config.dataFolder}' | grep -o 'sx_[0-9a-z]*')`,
          `  ${curl} "${url}/?key=$KEY" -d '${BODY}'`,
        ];
  return `
The data folder is new: it holds a synthetic demo town and a demo key that works from this machine only.
Demo key (shown only now): ${key}
${lines.join('\n')}
Take both out with: ${PROGRAM} demo remove
`;
}

function refusalOf(isBehindProxy: boolean, host: string): string | undefined {
  if (isBehindProxy) return 'behind a proxy requests may come from anywhere';
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
    ? undefined
    : `requests to ${host} do not come from the loopback interface`;
}
