// The part of fs-native-extensions that the owner's lock uses; the package has no types of its own.
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on an open file; `false` when another open file holds it. */
  export function tryLock(fd: number): boolean;
  /** The same, when no other open file holds it any more. */
  export function waitForLock(fd: number): Promise<void>;
}
