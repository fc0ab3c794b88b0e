// The part of fs-native-extensions that we use; the package has no types of its own.
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on an open file, or on some bytes of it; `false` if another open file holds one there. */
  export function tryLock(fd: number, offset?: number, length?: number): boolean;
  /** The same, but waits until no other open file holds the lock. */
  export function waitForLock(fd: number): Promise<void>;
}
