// What a terminal may be shown of texts that others wrote.

/** Control characters, marks of direction and what has no width. The letters of JSON's own escapes stay. */
const MARKS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Writes marks that begin a line, move the cursor or turn the direction of writing as JSON escapes (`\u202e`), so that
 * the text stays on its line.
 */
export function escapeMarks(text: string): string {
  return text.replace(MARKS, mark =>
    Array.from({ length: mark.length }, (_, i) => `\\u${mark.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** The same for a text of several lines, which are ours. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeMarks).join('\n');
}

/**
 * The same for a message, of which further lines, such as those of a stack, are set in: none looks like another
 * message.
 */
export function escapeMessage(text: string): string {
  return escapeLines(text).replaceAll('\n', '\n  ');
}
