import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeBatchFile } from '../../bench/reports.ts';
import { createWorld } from '../../bench/world.ts';
import { Tally } from '../../src/intake/tally.ts';
import { packBatch } from '../../src/tasks/pack_reports.ts';

test(
  'a batch file holds whole requests, every other one compressed, and the rules of intake leave all of their ' +
    'observations',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'reports-'));
    const path = join(folder, 'batches.bin');
    const written = writeBatchFile(path, createWorld(20_000, 3), 4, 25, ['first-key', 'second-key']);
    const bytes = readFileSync(path);
    rmSync(folder, { recursive: true });

    const tally = new Tally();
    const heads: string[] = [];
    let at = 4 * 5;
    for (let batch = 0; batch < bytes.readUInt32LE(0); batch++) {
      const request = bytes.subarray(at, at + bytes.readUInt32LE(4 + 4 * batch));
      at += request.length;
      const headEnd = request.indexOf('\r\n\r\n') + 4;
      const head = request.toString('latin1', 0, headEnd);
      const body = request.subarray(headEnd);
      expect(head).toContain(`Content-Length: ${body.length}\r\n`);
      heads.push(
        head
          .split('\r\n')
          .filter(line => /^(POST|Content-Encoding)/.test(line))
          .join(),
      );
      const { items } = JSON.parse((head.includes('gzip') ? gunzipSync(body) : body).toString());
      expect([
        ...packBatch(
          items,
          { account: 1, isTrusted: false, deviceId: undefined, arrivalMs: Date.parse('2026-06-01T00:00:00Z') },
          tally,
        ),
      ]).not.toEqual([]);
    }
    expect(at).toBe(bytes.length);
    expect(heads).toEqual([
      'POST /v2/geosubmit?key=first-key HTTP/1.1',
      'POST /v2/geosubmit?key=first-key HTTP/1.1,Content-Encoding: gzip',
      'POST /v2/geosubmit?key=second-key HTTP/1.1',
      'POST /v2/geosubmit?key=second-key HTTP/1.1,Content-Encoding: gzip',
    ]);
    const { reports, accepted, refusedByRule, acceptedObservations } = tally.toJSON();
    expect({ reports, accepted, refusedByRule, acceptedObservations }).toEqual({
      reports: written.reports,
      accepted: 100,
      refusedByRule: {},
      acceptedObservations: written.observations,
    });
    expect(written.observations / written.reports).toBeGreaterThan(10);
  },
);
