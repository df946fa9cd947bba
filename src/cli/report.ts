import { exitCodes, StartError } from "../domain/start-error.ts";
import { say } from "./terminal.ts";

/**
 * Tells on stderr why Outpost ends and returns the exit code. What a person can mend is two lines, the last of which
 * is the cure; anything else is a bug and keeps its stack.
 */
export function reportFailure(error: unknown): number {
  if (error instanceof StartError) {
    say(`outpost: ${onOneLine(error.message)}\ntry: ${onOneLine(error.cure)}`);
    return error.exitCode;
  }
  say(Bun.inspect(error));
  return exitCodes.failed;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
