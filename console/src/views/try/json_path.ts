// Where the cursor is in a JSON text, and where a value is: by the syntax tree of the editor, which is there also for a
// text that is not complete.

import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { Path } from './request_schema.ts';

type Node = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

/** A node of the tree around a position. */
export function nodeAt(state: EditorState, position: number): Node {
  return syntaxTree(state).resolveInner(position, -1);
}

/** The path of the value that a node is, or is in. */
export function pathOf(state: EditorState, node: Node): Path {
  const path: (string | number)[] = [];
  for (let at: Node | null = node; at !== null; at = at.parent) {
    const { parent } = at;
    if (at.name === 'Property') path.unshift(nameOf(state, at));
    else if (parent?.name === 'Array' && VALUES.has(at.name)) path.unshift(indexIn(parent, at));
  }
  return path;
}

/** The object that a node is in, if its place is that of a member's name. */
export function objectOf(node: Node): Node | undefined {
  if (node.name === 'Object') return node;
  const isName = node.name === 'PropertyName' || node.name === '⚠';
  for (let at: Node | null = isName ? node : null; at !== null; at = at.parent) if (at.name === 'Object') return at;
  return undefined;
}

/** Names of the members of an object. */
export function namesIn(state: EditorState, object: Node): Set<string> {
  return new Set(object.getChildren('Property').map(property => nameOf(state, property)));
}

/** Where the value at a path stands; the whole text where there is none. */
export function rangeOf(state: EditorState, path: Path): { from: number; to: number } {
  let node: Node | null = syntaxTree(state).topNode.firstChild;
  let range = { from: 0, to: state.doc.length };
  for (const step of path) {
    if (node === null) break;
    if (typeof step === 'number') node = valuesIn(node)[step] ?? null;
    else {
      const property = node.getChildren('Property').find(each => nameOf(state, each) === step);
      const name = property?.getChild('PropertyName');
      if (name) range = { from: name.from, to: name.to };
      node = property?.lastChild ?? null;
    }
    if (node !== null && (typeof step === 'number' || node.name !== 'PropertyName'))
      range = { from: node.from, to: node.to };
  }
  return range;
}

function nameOf(state: EditorState, property: Node): string {
  const name = property.getChild('PropertyName');
  if (name === null) return '';
  const text = state.sliceDoc(name.from, name.to);
  try {
    return JSON.parse(text);
  } catch {
    return text.replaceAll('"', '');
  }
}

function valuesIn(array: Node): Node[] {
  const found: Node[] = [];
  for (let at = array.firstChild; at !== null; at = at.nextSibling) if (VALUES.has(at.name)) found.push(at);
  return found;
}

function indexIn(array: Node, value: Node): number {
  return valuesIn(array).findIndex(each => each.from === value.from);
}
