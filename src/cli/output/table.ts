import { printable } from "../../lib/text/printable.ts";
import { isTty, print, stdout, wantsColour } from "./terminal.ts";

/** Prints rows with a head on a terminal, else aligned words without a head, for `awk` and `cut`. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): Promise<boolean> {
  const cells = rows.map((row) => row.map(printable));
  return print(isTty(stdout) ? withHead(head, cells) : aligned(cells));
}

/** Prints indented JSON. The keys are stable. */
export function printJson(value: unknown): Promise<boolean> {
  return print(`${JSON.stringify(value, null, 2)}\n`);
}

function withHead(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const [first = "", ...others] = aligned([head, ...rows]).split("\n");
  const title = wantsColour(stdout) ? `\x1b[1m${first}\x1b[0m` : first;
  const longest = others.reduce((width, line) => Math.max(width, widthOf(line)), widthOf(first));
  return [title, "─".repeat(Math.min(longest, process.stdout.columns || longest)), ...others].join("\n");
}

/** Aligns columns, two spaces apart. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  const lines = rows.map((row) =>
    row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell))).join("  "),
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** Returns the width in terminal columns: some characters take two, some none. */
function widthOf(text: string): number {
  return Bun.stringWidth(text);
}
