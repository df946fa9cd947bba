/**
 * The function that long work on a store calls with its progress: the current task, the counted unit, and how many are done.
 */
export type OnStoreProgress = (task: string, unit: string, done: number, total: number) => void;
