import { expect, test } from 'vitest';
import { ownScenario } from '../../../bench/capacity/own_requests.ts';

function render(text: string): string[] {
  return ownScenario(text, 'sx_k')
    .requests(1)
    .map(request => request.toString());
}

test('each line is a request with the key of the measurement', () => {
  const text =
    '{"path":"/?id=t-1&key=mine","body":{"considerIp":false}}\n\n{"method":"GET","path":"/search?q=M%C3%BChle"}\n';
  expect(render(text)).toEqual([
    'POST /?id=t-1&key=sx_k HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ' +
      '20\r\n\r\n{"considerIp":false}',
    'GET /search?q=M%C3%BChle&key=sx_k HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ]);
});

test('a body that is a string is sent as it is', () => {
  expect(render('{"path":"/","body":"{ broken"}')[0]).toMatch(/Content-Length: 8\r\n\r\n\{ broken$/);
});

test.each([
  ['{', 'Line 1 of the requests is not JSON.'],
  ['{"path":"/","body":{}}\n[]', 'Line 2 of the requests is not an object.'],
  ['{"path":"/","body":{},"headers":{}}', 'has the member headers'],
  ['{"method":"PUT","path":"/","body":{}}', 'neither GET nor POST'],
  ['{"path":"no","body":{}}', 'begins with /'],
  ['{"path":"/a b","body":{}}', 'begins with /'],
  ['{"body":{}}', 'needs a path'],
  ['{"method":"GET","path":"/","body":{}}', 'is a GET with a body'],
  ['{"path":"/"}', 'is a POST without a body'],
  ['\n \n', 'is empty'],
])('%j is refused', (text, why) => {
  expect(() => ownScenario(text, 'sx_k')).toThrow(why);
});
