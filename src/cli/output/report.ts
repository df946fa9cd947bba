import { exitCodes, StartError } from "../../domain/start-error.ts";
import { printable } from "../../lib/text/printable.ts";
import { printMessage } from "./terminal.ts";

/**
 * Prints the error that ended the command on stderr, and returns the exit code. An error that the user can fix has two
 * lines, the last of which is the hint for `command`. Any other error is a bug and shows its stack.
 */
export function reportFailure(error: unknown, command: string): number {
  if (error instanceof StartError) {
    const details = error.details.map((line) => `  ${onOneLine(line)}\n`).join("");
    printMessage(`outpost: ${onOneLine(error.message)}\n${details}try: ${onOneLine(error.hintFor(command))}`);
    return error.exitCode;
  }
  printMessage(Bun.inspect(error));
  return exitCodes.failed;
}

function onOneLine(text: string): string {
  return printable(text.replaceAll(/\s*\n\s*/g, " "));
}
