// The editor of a request: JSON with completion and remarks by the schema of the request. It lives in a shadow tree,
// where the editor's own styles are adopted as style sheets, which the content security policy lets in; in the page it
// would write a style element, which it does not.

import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintKeymap } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'preact/hooks';
import { namesIn, nodeAt, objectOf, pathOf, rangeOf } from './json_path.ts';
import { membersAt, remarksOf, skeletonOf, valuesAt } from './request_schema.ts';

interface EditorProps {
  label: string;
  /** The text that is put into it: again whenever this is another object. What is typed is told by `onChange`. */
  given: { text: string };
  onChange(text: string): void;
  /** Ctrl+Enter. */
  onRun(): void;
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warning)' },
]);
const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', borderRadius: '8px' },
  '.cm-content, .cm-gutters': { fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    color: 'var(--muted)',
    backgroundColor: 'var(--surface)',
    borderRight: '1px solid var(--line)',
    borderRadius: '8px 0 0 8px',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 6%, transparent)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft) !important' },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--accent-text)',
    backgroundColor: 'var(--accent)',
  },
  '.cm-completionInfo': { maxWidth: '320px', padding: '8px 12px' },
  '.cm-diagnostic': { padding: '6px 12px' },
});

/** The editor. */
export function Editor({ label, given, onChange, onRun }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const listeners = useRef({ onChange, onRun });
  listeners.current = { onChange, onRun };
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const state = EditorState.create({ doc: given.text, extensions: extensionsOf(label, listeners) });
    const editor = new EditorView({ state, root, parent: root });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current!;
    const before = editor.state.doc.toString();
    const { text } = given;
    if (before !== text) editor.dispatch({ changes: { from: 0, to: before.length, insert: text } });
  }, [given]);
  return <div ref={host} class="editor" />;
}

function extensionsOf(label: string, listeners: { current: Pick<EditorProps, 'onChange' | 'onRun'> }) {
  const run = () => {
    listeners.current.onRun();
    return true;
  };
  return [
    keymap.of([{ key: 'Mod-Enter', run }]),
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    syntaxHighlighting(COLOURS),
    json(),
    autocompletion({ override: [complete], icons: false, interactionDelay: 0 }),
    linter(jsonParseLinter()),
    linter(remarks),
    keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.lineWrapping,
    EditorView.updateListener.of(update => {
      if (update.docChanged) listeners.current.onChange(update.state.doc.toString());
    }),
    LOOK,
  ];
}

/** Names of members, where one may stand, and values where the document lists them. */
function complete(context: CompletionContext): CompletionResult | null {
  const { state, pos, explicit } = context;
  const node = nodeAt(state, pos);
  const object = objectOf(node);
  const word = context.matchBefore(/"?\w*/);
  const from = word?.from ?? pos;
  if (object === undefined) {
    const values = valuesAt(pathOf(state, node));
    if (values.length === 0) return null;
    return { from, to: endOf(state, pos), options: values.map(value => ({ label: JSON.stringify(value) })) };
  }
  if (!explicit && from === pos) return null;
  const there = namesIn(state, object);
  const options = [...membersAt(pathOf(state, object))]
    .filter(([name]) => !there.has(name))
    .map(([name, schema]) => ({
      label: `"${name}"`,
      apply: `"${name}": ${skeletonOf(schema)}`,
      ...(schema.description !== undefined && { info: schema.description }),
    }));
  return { from, to: endOf(state, pos), options };
}

/** A quote that the editor has closed belongs to the word. */
function endOf(state: EditorState, position: number): number {
  return state.sliceDoc(position, position + 1) === '"' ? position + 1 : position;
}

function remarks({ state }: EditorView): Diagnostic[] {
  let body: unknown;
  try {
    body = JSON.parse(state.doc.toString());
  } catch {
    return []; // the other linter says where
  }
  return remarksOf(body).map(({ path, text }) => ({ ...rangeOf(state, path), severity: 'warning', message: text }));
}
