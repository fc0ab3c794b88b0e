/** Bytes are not what they should be; the reader of the file says which file. */
export class BadDataError extends Error {}
