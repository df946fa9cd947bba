import { isWatched, print, stdout, wantsColour } from "./terminal.ts";

/** Rows with a head on a terminal, aligned words without one elsewhere, so that `awk` and `cut` have an easy time. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): Promise<boolean> {
  return print(isWatched(stdout) ? withHead(head, rows) : aligned(rows));
}

/** One JSON text with keys that stay, indented. */
export function printJson(value: unknown): Promise<boolean> {
  return print(`${JSON.stringify(value, null, 2)}\n`);
}

function withHead(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const [first = "", ...others] = aligned([head, ...rows]).split("\n");
  const title = wantsColour(stdout) ? `\x1b[1m${first}\x1b[0m` : first;
  const longest = others.reduce((width, { length }) => Math.max(width, length), first.length);
  return [title, "─".repeat(longest), ...others].join("\n");
}

/** Columns two spaces apart. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}
