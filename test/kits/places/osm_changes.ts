// Writes files of changes of the map (OsmChange).

import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { DrawnObject } from './osm_pbf.ts';

/** A change of an object, which stands there as it is afterwards. */
export interface DrawnChange {
  action: 'create' | 'modify' | 'delete';
  object: DrawnObject;
}

/**
 * Writes changes to a file. @param path with `.gz` it is compressed @param timestamp of all of them, ISO 8601
 * @returns the path
 */
export function writeOsmChanges(path: string, changes: readonly DrawnChange[], timestamp?: string): string {
  const lines = changes.map(
    ({ action, object }) => `  <${action}>\n    ${xmlOf(object, timestamp).join('\n    ')}\n  </${action}>`,
  );
  const text = ['<?xml version="1.0" encoding="UTF-8"?>', '<osmChange version="0.6">', ...lines, '</osmChange>', ''];
  const bytes = Buffer.from(text.join('\n'));
  writeFileSync(path, path.endsWith('.gz') ? gzipSync(bytes, { level: 1 }) : bytes);
  return path;
}

function xmlOf(object: DrawnObject, timestamp: string | undefined): string[] {
  const { type, id, version, tags = {} } = object;
  const position = object.type === 'node' ? { lat: object.lat, lon: object.lon } : {};
  const parts = Object.entries(tags).map(([k, v]) => elementOf('tag', { k, v }));
  if (object.type === 'way') parts.push(...object.nodes.map(ref => elementOf('nd', { ref })));
  if (object.type === 'relation')
    parts.push(...object.members.map(({ type, ref, role = '' }) => elementOf('member', { type, ref, role })));
  const opened = elementOf(type, { id, version, ...(timestamp && { timestamp }), ...position });
  return [opened.replace('/>', '>'), ...parts.map(part => `  ${part}`), `</${type}>`];
}

function elementOf(name: string, attributes: Record<string, string | number | undefined>): string {
  const texts = Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(String(value))}"`);
  return `<${name} ${texts.join(' ')}/>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
}
