import { expect, test } from "bun:test";
import fc from "fast-check";
import { jobTokenPrefix, maskPiece } from "../../../src/modules/ci/job-logs/index.ts";

/** It ends as it begins, so that one may begin in another. */
const token = `${jobTokenPrefix}0123456789ABCDEFglcb`;

/** The readable text of a log after each of its pieces, and the number of bytes held back then. */
function read(pieces: readonly string[]) {
  let tokenStart = 0;
  let text = "";
  return pieces.map((piece) => {
    const next = maskPiece(Buffer.from(piece), token, tokenStart);
    tokenStart = next.tokenStart;
    text += Buffer.from(next.bytes).toString();
    return text;
  });
}

const cutOf = fc.record({
  words: fc.array(fc.constantFrom(token, token.slice(0, 9), token.slice(0, -1), jobTokenPrefix, "gl", "-", "a\n"), {
    maxLength: 8,
  }),
  cuts: fc.array(fc.nat(), { maxLength: 12 }),
});

/**
 * The log with `x` for each token, but for what was shown of its prefix before the rest of it came. That may be less than what
 * came: the end of what could have been another token was kept back.
 */
function expectedOf(whole: string, places: readonly number[], seen: string): string {
  const letters = [...whole];
  for (let at = whole.indexOf(token); at !== -1; at = whole.indexOf(token, at + token.length)) {
    const cut = places.findLast((place) => place > at && place < at + token.length) ?? at;
    let shownUpTo = at;
    while (shownUpTo < Math.min(cut, at + jobTokenPrefix.length) && seen[shownUpTo] !== "x") shownUpTo += 1;
    letters.fill("x", shownUpTo, at + token.length);
  }
  return letters.join("");
}

test("for any division of a log, readers see no more of the token than its prefix, and nothing else changes", () => {
  fc.assert(
    fc.property(cutOf, ({ words, cuts }) => {
      // Behind the end of a line nothing is kept back.
      const whole = `${words.join("")}\n`;
      const places = [0, ...cuts.map((cut) => cut % whole.length).toSorted((a, b) => a - b), whole.length];
      const seen = read(places.slice(1).map((end, at) => whole.slice(places[at], end)));
      const last = seen.at(-1) ?? "";
      expect(last).toBe(expectedOf(whole, places, last));
      for (const text of seen) expect(last.startsWith(text)).toBe(true);
    }),
  );
});

test.each(Array.from({ length: token.length - 1 }, (_, at) => at + 1))("a token cut after %i bytes", (at) => {
  const shown = Math.min(at, jobTokenPrefix.length);
  const [first, whole] = read([`>${token.slice(0, at)}`, `${token.slice(at)}<`]);
  expect(first).toBe(`>${token.slice(0, shown)}`);
  expect(whole).toBe(`>${token.slice(0, shown)}${"x".repeat(token.length - shown)}<`);
});
