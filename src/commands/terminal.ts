// What a terminal may be shown of texts that others wrote.

/** Control characters but the end of a line, marks of direction and what has no width. The letters of JSON's own escapes stay. */
const MARKS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Writes marks that move the cursor or turn the direction of writing as JSON escapes (`\u202e`); newlines stay. */
export function escapeMarks(text: string): string {
  return text.replace(MARKS, mark =>
    Array.from({ length: mark.length }, (_, i) => `\\u${mark.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}
