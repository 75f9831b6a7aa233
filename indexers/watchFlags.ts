/**
 * Why an address is watched. Flags are never cleared, also when a watch is removed: the database decides
 * which watches apply.
 */
export const watchFlags = { incoming: 1, monitored: 2, monitoredForAll: 4 } as const
