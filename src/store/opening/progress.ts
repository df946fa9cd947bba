/** Told how far long work on a store is: the name of its present part, what is counted, and how many are done of how many. */
export type OnStoreProgress = (task: string, unit: string, done: number, total: number) => void;
