interface Trailers {
  /** The last value of each. */
  readonly trailers: Readonly<Record<string, string>>;
  readonly extended_trailers: Readonly<Record<string, readonly string[]>>;
}

/** Lines such as `Signed-off-by: Ines` in the last paragraph of a message, when that holds nothing else and is not its only one. */
export function trailersOf(message: string): Trailers {
  const paragraphs = message.trimEnd().split(/\n\s*\n/);
  const lines = paragraphs.length < 2 ? [] : (paragraphs.at(-1) as string).split("\n");
  const pairs = lines.map((line) => /^([A-Za-z0-9][A-Za-z0-9-]*)\s*:\s*(.+)$/.exec(line));
  const all = new Map<string, string[]>();
  if (pairs.every((pair) => pair !== null)) {
    for (const [, key = "", value = ""] of pairs) {
      const values = all.get(key) ?? [];
      values.push(value.trim());
      all.set(key, values);
    }
  }
  return {
    trailers: Object.fromEntries([...all].map(([key, values]) => [key, values.at(-1) as string])),
    extended_trailers: Object.fromEntries(all),
  };
}
