/** The trailers of commit messages. */

interface Trailers {
  /** The last value of each. */
  readonly trailers: Readonly<Record<string, string>>;
  readonly extended_trailers: Readonly<Record<string, readonly string[]>>;
}

/** A paragraph with more lines is text. */
const linesMax = 100;
const keyPattern = /^[A-Za-z0-9][A-Za-z0-9-]*$/;

/**
 * Lines such as `Signed-off-by: Ines` in the last paragraph of a message, when that holds nothing else and is not its only one.
 * Takes time in proportion to that paragraph, whatever it holds.
 */
export function trailersOf(message: string): Trailers {
  const all = new Map<string, string[]>();
  for (const [key, value] of pairsOf(lastParagraph(message)) ?? []) {
    const values = all.get(key) ?? [];
    values.push(value);
    all.set(key, values);
  }
  return {
    trailers: Object.fromEntries([...all].map(([key, values]) => [key, values.at(-1) as string])),
    extended_trailers: Object.fromEntries(all),
  };
}

/** undefined when a line is no trailer. */
function pairsOf(lines: readonly string[]): [key: string, value: string][] | undefined {
  const pairs: [string, string][] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    const [key, value] = [line.slice(0, Math.max(colon, 0)).trimEnd(), line.slice(colon + 1).trim()];
    if (value === "" || !keyPattern.test(key)) return undefined;
    pairs.push([key, value]);
  }
  return pairs;
}

/** Its lines; none when nothing is before it, or when there are too many. */
function lastParagraph(message: string): string[] {
  const text = message.trimEnd();
  const lines: string[] = [];
  for (let end = text.length; end > 0 && lines.length <= linesMax; ) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end);
    if (line.trim() === "") return text.slice(0, start).trim() === "" ? [] : lines.reverse();
    lines.push(line);
    end = start - 1;
  }
  return [];
}
