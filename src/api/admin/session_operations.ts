// The routes by which the page of the console begins: its session, and the tiles of its map.

import { TILE_TYPE } from '../console/tiles.ts';
import { groupOf, route } from './operation.ts';
import { closed, FLAG, open, TEXT } from './schema_parts.ts';
import { SESSION_ENDS } from './sessions.ts';

const ANSWERS = {
  Session: open({
    access: { enum: ['all', 'read', 'none'], description: '`none`: only after a login.' },
    isLoggedIn: { ...FLAG, description: 'There is a session; without one, a demo may be read.' },
    version: TEXT,
    publicUrl: { ...TEXT, description: 'Address for devices.' },
    'tokenFile?': { ...TEXT, description: 'Path of the file with the token; not told through a proxy.' },
    'ended?': { enum: SESSION_ENDS, description: 'How the session has ended whose cookie the browser still sends.' },
  }),
} as const;

/** The group. */
export const SESSION = groupOf(ANSWERS, [
  route('GET /console/session', {
    name: 'showSession',
    summary: 'What the browser that asks may do; needs no token',
    isOpen: true,
    success: [200, 'Access, and what the page of the console needs to know.', 'Session'],
    answer: ({ session }, { request }) => session.show(request),
  }),
  route('POST /console/session', {
    name: 'beginSession',
    summary: 'Begin a session of the console; only its own page may',
    body: closed({ token: { type: 'string', minLength: 1, maxLength: 200 } }),
    isOpen: true,
    success: [200, 'The session, whose id is in a cookie.', 'Session'],
    answer: ({ session }, { body, request, reply }) => session.begin(request, reply, body.token),
  }),
  route('DELETE /console/session', {
    name: 'endSession',
    summary: 'End the session; only the page of the console may',
    isOpen: true,
    success: [200, 'What the browser may do now.', 'Session'],
    answer: ({ session }, { request, reply }) => session.end(request, reply),
  }),
  route('GET /tiles/map/{z}/{x}/{y}', {
    name: 'tile',
    summary: 'A tile of a map',
    mediaType: TILE_TYPE,
    success: [200, 'The tile; 304 for a client that has it.', 'Tile'],
    answer: ({ tiles }, { request, reply }) => tiles.sendMap(request, reply),
  }),
]);
