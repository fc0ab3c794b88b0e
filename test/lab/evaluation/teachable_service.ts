// A minimal service for tests of the evaluation. It takes geosubmit batches, and answers a scan with the mean of the
// positions where its cells were contributed and a radius in proportion to the confidence. It keeps all requests for
// the test to check.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { CellTower } from '../../../lab/evaluation/scan.ts';

/** Of one half of the truths. */
const RADIUS_METRES = 100;

/** An item of a batch as it arrived. */
export interface Item {
  timestamp?: number;
  position: { latitude: number; longitude: number; accuracy?: number };
  cellTowers?: CellTower[];
}

/** A question as it arrived. */
export interface Question {
  timestamp?: number;
  confidence?: number;
  cellTowers?: CellTower[];
  state?: string;
  /** Of the device, in the address. */
  id?: string;
}

/** Listens on a free port of the loopback interface. */
export class TeachableService {
  readonly batches: Item[][] = [];
  readonly questions: Question[] = [];
  readonly key = 'secret';
  /** Status of the next answers, before the true ones. */
  readonly turnedAway: number[] = [];
  /** Ignores what it is taught. */
  isDeaf = false;
  private readonly server: Server;

  private constructor() {
    this.server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const { pathname, searchParams } = new URL(request.url!, 'http://host');
      const away = this.turnedAway.shift();
      const [status, answer] =
        away !== undefined
          ? [away, { error: { code: away } }]
          : searchParams.get('key') !== this.key
            ? [400, { error: { errors: [{ reason: 'keyInvalid' }] } }]
            : pathname === '/v2/geosubmit'
              ? this.learn(JSON.parse(gunzipSync(body).toString()))
              : this.locate({
                  ...JSON.parse(body.toString()),
                  ...(searchParams.has('id') && { id: searchParams.get('id')! }),
                });
      response.writeHead(status, { 'retry-after': '0' }).end(JSON.stringify(answer));
    });
  }

  static async start(): Promise<TeachableService> {
    const service = new TeachableService();
    service.server.listen(0, '127.0.0.1');
    await once(service.server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private learn({ items }: { items: Item[] }): [number, object] {
    this.batches.push(items);
    return [200, {}];
  }

  private locate(question: Question): [number, object] {
    this.questions.push(question);
    const asked = new Set(question.cellTowers?.map(({ cellId }) => cellId));
    const items = this.isDeaf
      ? []
      : this.batches.flat().filter(({ cellTowers }) => cellTowers?.some(({ cellId }) => asked.has(cellId)));
    if (items.length === 0) return [404, { error: { errors: [{ reason: 'notFound' }] } }];
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const lat = mean(items.map(({ position }) => position.latitude));
    return [
      200,
      {
        location: { lat, lng: mean(items.map(({ position }) => position.longitude)) },
        accuracy: RADIUS_METRES * ((question.confidence ?? 50) / 50),
        ...(question.id !== undefined && { state: `${question.id} ${question.timestamp}` }),
      },
    ];
  }
}
