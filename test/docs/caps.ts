// What docs/security.md leaves out: the constant or the setting behind each cap, and the tests that hold caps and the
// ways in that the console opens. security.test.ts compares them with the code, and the table of caps is generated from
// here.

/** A cap on what one request, connection or key may ask for. */
export interface Cap {
  /** What is limited, as the document names it. */
  what: string;
  /** The number and its unit, as the document says them. */
  most: string;
  /** What happens to a request that exceeds it. */
  beyond: string;
  /** A setting such as `--max-body-mb`, or `CONSTANT in FILE`. */
  value: string;
  /** The test file, a colon and words of the title. */
  test: string;
}

/** All caps, in the order of the document. */
export const CAPS: readonly Cap[] = [
  {
    what: 'connections at a time',
    most: '10,000',
    beyond: 'closed',
    value: '--max-connections',
    test: 'test/api/transport/connection_limit.test.ts: a connection over the cap is closed at once',
  },
  {
    what: 'connections to the admin interface',
    most: '64',
    beyond: 'closed',
    value: 'CONNECTIONS_MAX in src/api/admin/server.ts',
    test: 'test/api/admin/strangers.test.ts: 64 connections without the token keep nobody out who has it',
  },
  {
    what: 'of these without the token',
    most: '16',
    beyond: 'the oldest is closed',
    value: 'STRANGERS_MAX in src/api/admin/strangers.ts',
    test: 'test/api/admin/strangers.test.ts: 64 connections without the token keep nobody out who has it',
  },
  {
    what: 'time until one shows the token',
    most: '5,000 ms',
    beyond: 'closed',
    value: 'STRANGER_MILLISECONDS in src/api/admin/strangers.ts',
    test: 'test/api/admin/strangers.test.ts: a connection that does not show the token in time is closed',
  },
  {
    what: 'range of the file of `--map`',
    most: '16,777,216 bytes',
    beyond: '416',
    value: 'RANGE_BYTES_MAX in src/api/console/map_ground.ts',
    test: 'test/api/console/map_ground.test.ts: ranges of the file are read as they are, and no other file',
  },
  {
    what: 'tiles of maps that are drawn or wait',
    most: '32',
    beyond: '429',
    value: 'BACKGROUND_TASKS_MAX in src/api/start_threads.ts',
    test: 'test/api/admin/tiles.test.ts: a flood of tiles is refused, and meanwhile the other routes answer',
  },
  {
    what: 'tiles of a public console',
    most: '100 a second',
    beyond: '429',
    value: 'TILES_A_SECOND in src/api/public_console.ts',
    test: 'test/console/public.test.ts: a flood of tiles is refused, and meanwhile positions are answered',
  },
  {
    what: 'of these drawn or waiting, in each thread',
    most: '16',
    beyond: '429',
    value: 'TILES_WAITING_MAX in src/api/public_console.ts',
    test: 'test/console/public.test.ts: a flood of tiles is refused, and meanwhile positions are answered',
  },
  {
    what: 'headers',
    most: '16,384 bytes',
    beyond: '431',
    value: 'HEADER_BYTES in src/api/server.ts',
    test: 'test/api/http_errors.test.ts: headers over the limit',
  },
  {
    what: 'time for the head',
    most: '60,000 ms',
    beyond: '408',
    value: 'HEAD_MILLISECONDS in src/api/server.ts',
    test: 'test/api/server_faults.test.ts: a head has a minute, and the whole request an hour',
  },
  {
    what: 'time for the body of a query',
    most: '60,000 ms',
    beyond: '408',
    value: 'QUERY_MILLISECONDS in src/api/gather_body.ts',
    test: 'test/api/server_faults.test.ts: after a minute for the body of a query',
  },
  {
    what: 'time without a byte of a batch',
    most: '60,000 ms',
    beyond: '408',
    value: 'STANDSTILL_MILLISECONDS in src/api/gather_body.ts',
    test: 'test/api/gather_body.test.ts: is given up after a minute without a byte',
  },
  {
    what: 'time for any request',
    most: '3,600,000 ms',
    beyond: '408',
    value: 'REQUEST_MILLISECONDS in src/api/server.ts',
    test: 'test/api/server_faults.test.ts: a head has a minute, and the whole request an hour',
  },
  {
    what: 'time in which nothing of an answer is read',
    most: '30,000 ms, twice that at most',
    beyond: 'closed',
    value: 'WRITE_MILLISECONDS in src/api/transport/write_limit.ts',
    test: 'test/api/transport/write_limit.test.ts: the service ends the connection of a client that asks and never reads',
  },
  {
    what: 'body, as sent and inflated',
    most: '8 MB',
    beyond: '413',
    value: '--max-body-mb',
    test: 'test/api/http_errors.test.ts: 413 while the client still sends',
  },
  {
    what: 'body of a batch, as sent and inflated',
    most: '67,108,864 bytes',
    beyond: '413',
    value: 'SUBMISSION_BYTES in src/api/server.ts',
    test: 'test/api/http_errors.test.ts: 413 while the client still sends',
  },
  {
    what: 'contributions that wait for the disk',
    most: '67,108,864 bytes',
    beyond: '503',
    value: 'PENDING_BYTES_MAX in src/writer/contributions.ts',
    test: 'test/api/submission.test.ts: a batch is answered 503 with Retry-After, and taken later',
  },
  {
    what: 'disk that the reports of a key take',
    most: '1,024 MB, or `--storage-mb` of the key; a trusted key has no limit without it',
    beyond: '403',
    value: 'STORAGE_MEGABYTES in src/accounts/directory.ts',
    test: 'test/api/submission.test.ts: is refused further ones, and told so',
  },
  {
    what: 'nesting',
    most: '64 levels',
    beyond: '400',
    value: 'LEVELS_MAX in src/protocol/requests/body.ts',
    test: 'test/protocol/requests/body.test.ts: 64 levels are allowed, 65 are not',
  },
  {
    what: 'objects and lists in a body',
    most: '300,000',
    beyond: '413',
    value: 'OPENINGS_MAX in src/protocol/requests/body.ts',
    test: 'test/protocol/requests/body.test.ts: 300,000 objects and lists are allowed, one more is not',
  },
  {
    what: 'items and entries in a batch of measurements',
    most: '1,000,000',
    beyond: '413',
    value: 'BATCH_ENTRIES_MAX in src/tasks/pack_reports.ts',
    test: 'test/tasks/pack_reports.test.ts: of more than a million items and entries is refused',
  },
  {
    what: 'stations in one report',
    most: '1,000',
    beyond: 'report left out',
    value: 'ENTRIES_MAX in src/intake/rules.ts',
    test: 'test/intake/screen.test.ts: may have a thousand entries over all lists, not one more',
  },
  {
    what: 'points in `POST /reverse`',
    most: '10,000',
    beyond: '400',
    value: 'POINTS_MAX in src/protocol/requests/points.ts',
    test: 'test/protocol/requests/points.test.ts: 10,000 points are read, and one more is refused',
  },
  {
    what: 'positions in a batch',
    most: '10,000',
    beyond: '400',
    value: 'POSITIONS_MAX in src/protocol/requests/positions.ts',
    test: 'test/api/position_batch.test.ts: The body has more than 10000 positions.',
  },
  {
    what: 'one position of a batch',
    most: '65,536 bytes',
    beyond: '413 in its place',
    value: 'POSITION_BYTES_MAX in src/api/position_batch.ts',
    test: 'test/api/position_batch.test.ts: a position that is no JSON or too large is an error in its place',
  },
  {
    what: 'searches and other tasks of a lane that wait',
    most: '67,108,864 bytes',
    beyond: '503',
    value: 'OVERFLOW_BYTES in src/pool/overflow_room.ts',
    test: 'test/pool/compute.test.ts: has no room when 64 MB of its lane wait, whatever waits in others',
  },
  {
    what: 'text of a search',
    most: '1,000 characters',
    beyond: '400',
    value: 'TEXT_CHARACTERS_MAX in src/protocol/requests/query.ts',
    test: 'test/protocol/requests/place_question.test.ts: of more than 1,000 characters is refused',
  },
  {
    what: 'results of a search',
    most: '50',
    beyond: '50 are given',
    value: 'LIMIT_MAX in src/protocol/requests/place_parameters.ts',
    test: 'test/protocol/requests/place_question.test.ts: limit=51',
  },
  {
    what: 'objects in `GET /lookup`',
    most: '50',
    beyond: '400',
    value: 'OBJECTS_MAX in src/protocol/requests/place_parameters.ts',
    test: 'test/protocol/requests/place_question.test.ts: osm_ids must have at most 50 objects.',
  },
  {
    what: 'languages of a question',
    most: '10',
    beyond: 'the rest is left out',
    value: 'LANGUAGES_MAX in src/protocol/requests/parameters.ts',
    test: 'test/protocol/requests/parameters.test.ts: slice(0, 10)',
  },
  {
    what: 'device id',
    most: '20 characters',
    beyond: '400',
    value: 'ID_CHARACTERS_MAX in src/protocol/requests/parameters.ts',
    test: 'test/protocol/requests/parameters.test.ts: a device id has at most 20 characters',
  },
  {
    what: "a job over the folder's socket",
    most: '1,048,576 characters',
    beyond: 'connection closed',
    value: 'JOB_CHARACTERS_MAX in src/jobs/socket.ts',
    test: 'test/jobs/socket.test.ts: a line without end',
  },
];

/** The ways in that the console opens, as docs/security.md names them, each with the test that holds it closed. */
export const WAYS_IN: readonly { way: string; test: string }[] = [
  {
    way: 'a network name with markup (XSS)',
    test: 'test/console/try.test.ts: names of networks that are markup stay text',
  },
  {
    way: 'a key name with markup',
    test: 'test/console/start.test.ts: a key is made, shown once, and stands in the requests',
  },
  {
    way: 'a page of another site makes the browser change something with the cookie (CSRF)',
    test: 'test/api/admin/access.test.ts: a request with the cookie that is not of our own page changes nothing',
  },
  {
    way: 'a page of another site or port reads',
    test: 'test/api/admin/access.test.ts: a page of another site reads nothing',
  },
  {
    way: 'a foreign name that leads to 127.0.0.1 (DNS rebinding)',
    test: 'test/api/admin/access.test.ts: nothing is read without a token (DNS rebinding)',
  },
  {
    way: 'a frame around the page (clickjacking)',
    test: 'test/console/frame.test.ts: nobody frames the page',
  },
  {
    way: 'a link that leads elsewhere (open redirect)',
    test: 'test/api/admin/console.test.ts: no path leads to another host',
  },
  {
    way: 'a path to another file',
    test: 'test/api/admin/console.test.ts: only names of the table are files',
  },
  {
    way: 'a session left open',
    test: 'test/api/admin/sessions.test.ts: a session ends when nothing has happened in it for half an hour',
  },
  {
    way: 'a change with the read-only token',
    test: 'test/api/admin/access.test.ts: reads everything, and changes and begins nothing',
  },
  {
    way: 'a key in a link',
    test: 'test/console/try.test.ts: opens it, and the page shows no key',
  },
];
