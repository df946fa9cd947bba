/** Programs of their own threads. The executable finds them by their paths beside `main.ts`; this file is there, too. */
export const logThreadProgram = new URL("./cli/log/thread/worker.ts", import.meta.url);
export const copyingWorker = new URL("./git/copying/worker.ts", import.meta.url);
export const packWorker = new URL("./git/work/worker.ts", import.meta.url);
