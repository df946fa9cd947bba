import { executable } from "./outpost-process.ts";

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
