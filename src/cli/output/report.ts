import { exitCodes, StartError } from "../../domain/start-error.ts";
import { say } from "./terminal.ts";

/**
 * Tells on stderr why Outpost ends and returns the exit code. What a person can mend is two lines, the last of which
 * is the cure for who asked for `verb`; anything else is a bug and keeps its stack.
 */
export function reportFailure(error: unknown, verb: string): number {
  if (error instanceof StartError) {
    say(`outpost: ${onOneLine(error.message)}\ntry: ${onOneLine(error.cureFor(verb))}`);
    return error.exitCode;
  }
  say(Bun.inspect(error));
  return exitCodes.failed;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
