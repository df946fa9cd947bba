import { executable } from "./outpost-process.ts";

/** A running command with a terminal for its output; disposing kills it. */
export interface OnTerminal extends AsyncDisposable {
  /** All that appeared once it has a match of `pattern`. */
  saw(pattern: RegExp): Promise<string>;
}

/** Starts a command that runs until it is stopped. */
export function startOnTerminal(args: readonly string[]): OnTerminal {
  let text = "";
  let look = () => {};
  const decoder = new TextDecoder();
  const child = Bun.spawn([executable, ...args], {
    env: { PATH: process.env.PATH ?? "" },
    terminal: {
      cols: 200,
      rows: 24,
      data: (_, bytes) => {
        text += decoder.decode(bytes, { stream: true });
        look();
      },
    },
  });
  return {
    saw(pattern) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      look = () => {
        if (pattern.test(text)) resolve(text);
      };
      look();
      void child.exited.then(() => reject(new Error(`the command ended without ${pattern}:\n${text}`)));
      return promise;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      child.terminal?.close();
    },
  };
}

/** Runs the executable with a terminal for its output, and returns all that appeared there, lines ended by `\n`. */
export async function runOnTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([executable, ...args], {
    env: { PATH: process.env.PATH ?? "", ...env },
    terminal: { cols: 80, rows: 24, data: (_, bytes) => (text += decoder.decode(bytes, { stream: true })) },
  });
  await child.exited;
  child.terminal?.close();
  return text.replaceAll("\r\n", "\n");
}
