// The part of fs-native-extensions that the owner's lock uses; the package has no types of its own.
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on an open file; `false` if another open file holds it. */
  export function tryLock(fd: number): boolean;
  /** The same, but waits until no other open file holds the lock. */
  export function waitForLock(fd: number): Promise<void>;
}
