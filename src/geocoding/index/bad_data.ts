/** Malformed bytes. The reader of a file catches it and names the file. */
export class BadDataError extends Error {}
