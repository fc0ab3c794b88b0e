// What has started this process, by the variables that it leaves.

/** True if npm or npx has started this process. */
export const isStartedByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined;

/** True if systemd waits to be told what the service does (sd_notify(3)). */
export const isWatchedBySystemd = (): boolean => process.env.NOTIFY_SOCKET !== undefined;
