/** Called with the progress of long work on a store: the name of its present part, what is counted, and how many are done of how many. */
export type OnStoreProgress = (task: string, unit: string, done: number, total: number) => void;
