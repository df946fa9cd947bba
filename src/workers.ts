/** Programs of their own threads. In the executable they are found by where they lie beside `main.ts`, as this file does. */
export const logThreadProgram = new URL("./cli/log/thread/worker.ts", import.meta.url);
export const copyingWorker = new URL("./git/copying/worker.ts", import.meta.url);
