import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError, ERRORS } from '../../../src/protocol/errors.ts';
import { parseBody, parseElement } from '../../../src/protocol/requests/body.ts';
import { ListScan } from '../../../src/protocol/requests/list_scan.ts';

/** What the scan makes of a body: the lists by name in their order, and the rest. */
function scanned(text: string | Buffer, level: 1 | 2) {
  const bytes = Buffer.from(text);
  const scan = new ListScan(bytes, level);
  const lists: { name: string; elements: unknown[] }[] = [];
  for (let found = scan.next(); found !== 'end'; found = scan.next()) {
    if (found === 'list') lists.push({ name: bytes.toString('utf8', scan.nameStart, scan.nameEnd), elements: [] });
    if (found === 'element') lists.at(-1)!.elements.push(parseElement(bytes.subarray(scan.start, scan.end)));
  }
  return { lists, rest: parseBody(scan.rest()) };
}

/** The value of a body, put together from its parts; undefined if a part does not parse. */
function joined(text: string | Buffer, level: 1 | 2): unknown {
  try {
    const { lists, rest } = scanned(text, level);
    if (level === 1) return Array.isArray(rest) ? lists[0].elements : rest;
    if (Array.isArray(rest)) return rest.map(item => (Array.isArray(item) ? lists.shift()!.elements : item));
    for (const { name, elements } of lists) {
      const key = JSON.parse(name) as string;
      const target = rest as Record<string, unknown>;
      if (Array.isArray(target[key])) target[key] = elements;
    }
    return rest;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The value of a body, parsed as a whole; undefined if it does not parse. */
function whole(text: string | Buffer): unknown {
  try {
    return parseBody(Buffer.from(text));
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

describe('a list on the first level', () => {
  test('is taken apart at its commas', () => {
    expect(scanned(' [1, {"a":[2,3]} ,"[,]\\"",[]] ', 1)).toEqual({
      lists: [{ name: '', elements: [1, { a: [2, 3] }, '[,]"', []] }],
      rest: [],
    });
  });

  test.each(['[]', '[ \n\t\r]'])('"%s" has no elements', text => {
    expect(scanned(text, 1).lists).toEqual([{ name: '', elements: [] }]);
  });

  test.each(['[1', '[1,"]', '[1,{]', '[1]]', '[1] [2]'])('%s is not one', text => {
    const scan = new ListScan(Buffer.from(text), 1);
    for (let found = scan.next(); found !== 'end'; ) found = scan.next();
    expect(() => parseBody(scan.rest())).toThrow(expect.objectContaining({ row: ERRORS.parseError }));
  });
});

test('lists on the second level have names', () => {
  expect(scanned('{"items":[1,2],"n":{"x":[3]},"\\u0069tems":[],"z":"a","b":[{}]}', 2)).toEqual({
    lists: [
      { name: '"items"', elements: [1, 2] },
      { name: '"\\u0069tems"', elements: [] },
      { name: '"b"', elements: [{}] },
    ],
    rest: { items: [], n: { x: [3] }, z: 'a', b: [] },
  });
});

test('a scan pauses where there is no element for long', () => {
  const scan = new ListScan(Buffer.from(`["${'x'.repeat(200_000)}"]`), 1);
  const found = Array.from({ length: 6 }, () => scan.next());
  expect(found).toEqual(['list', 'pause', 'pause', 'pause', 'element', 'end']);
});

test('more than 64 levels of a body that is not small are refused', () => {
  const deep = (levels: number, padding: number) =>
    `${'['.repeat(levels)}"${'x'.repeat(padding)}"${']'.repeat(levels)}`;
  expect(scanned(deep(64, 70_000), 1).lists).toHaveLength(1);
  expect(scanned(deep(65, 10), 1).lists).toHaveLength(1);
  expect(() => scanned(deep(65, 70_000), 1)).toThrow(expect.objectContaining({ row: ERRORS.parseError }));
});

describe('the parts of a body are valid where the whole is, and have its value', () => {
  // No key is a backslash alone: Node 24 reads `"\\""` as that key once it has seen one.
  const name = fc.constantFrom('items', 'a', 'b', '"', '[', 'é', '🚋', 'a\\');
  const value = fc.jsonValue({ maxDepth: 3 });
  const body = fc.oneof(value, fc.array(value), fc.dictionary(name, fc.oneof(value, fc.array(value))));
  const spaced = fc
    .tuple(body, fc.constantFrom(undefined, 1, '\t'))
    .map(([one, space]) => JSON.stringify(one, undefined, space));

  test.each([1, 2] as const)('on level %d', level => {
    fc.assert(
      fc.property(spaced, text => {
        expect(joined(text, level)).toEqual(whole(text));
      }),
    );
  });

  test.each([1, 2] as const)('on level %d, also of damaged bodies', level => {
    const edit = fc.record({
      at: fc.nat(),
      bytes: fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', ':', ' ', '0', 'x'),
      cut: fc.nat(2),
    });
    fc.assert(
      fc.property(spaced, fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
        let damaged = text;
        for (const { at, bytes, cut } of edits) {
          const start = at % (damaged.length + 1);
          damaged = damaged.slice(0, start) + bytes + damaged.slice(start + cut);
        }
        expect(joined(damaged, level)).toEqual(whole(damaged));
      }),
      { numRuns: 3000 },
    );
  });
});
