import { expect, test } from "bun:test";
import { extractActions } from "../../../src/modules/planning/quick-actions/extractor.ts";

const names = new Set(["close"]);
const many = 100_000;

test.each([
  ["fences", "```\n"],
  ["quotes", ">>>\n"],
  ["tags", "<div>\n</div>\n"],
  ["code in lines", "`a`\n"],
  ["changing marks", "```\n>>>\n<div>\n"],
])("a text of %s alone is read in one pass", (_, mark) => {
  const start = performance.now();
  const { actions } = extractActions(`${mark.repeat(many)}\n/close`, names);
  expect(performance.now() - start).toBeLessThan(2_000);
  expect(actions.length).toBeLessThanOrEqual(1);
});

test("a block of very many lines is kept", () => {
  const block = `\`\`\`\n${"/close\n".repeat(5 * many)}\`\`\``;
  expect(extractActions(`${block}\n/close`, names)).toEqual({
    text: block,
    actions: [{ name: "close", argument: "" }],
  });
});
