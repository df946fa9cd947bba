import { countTasks } from "../../../../src/modules/planning/issuables/index.ts";
import { presentLabelDetails } from "../../../../src/modules/planning/labels/index.ts";
import { normalise, TextField } from "../../../../src/store/indexes/text-field.ts";
import { mebibyte, type WorstInput, worst } from "./input.ts";

function search(word: string, texts: readonly string[]) {
  return () => {
    const field = new TextField();
    for (const [id, text] of texts.entries()) field.set(id, normalise(text));
    const asked = { bytes: normalise(word), key: word };
    const blocks = Math.ceil(texts.length / 32);
    return () => {
      for (let block = 0; block < blocks; block += 1) field.hits(block, asked, -1);
    };
  };
}

function labelOf(description: string) {
  const stamp = "2020-01-01T00:00:00.000Z" as never;
  return {
    ...({ id: 1, title: "t", color: "#ff0000", description, source_type: "project", source_id: 1 } as const),
    ...{ created_at: stamp, updated_at: stamp },
  };
}

const repeated = (unit: string, length: number) => unit.repeat(Math.floor(length / unit.length));
/** The longest description of a label. */
const labelLength = 65_536;

export const textInputs: readonly WorstInput[] = [
  worst("text search", "a word that nearly matches everywhere", search("aba", Array(20).fill(repeated("a", mebibyte)))),
  worst(
    "text search",
    "a long word that nearly matches",
    search(`${repeated("ab", 250)}b`, Array(20).fill(repeated("ab", mebibyte))),
  ),
  worst(
    "text search",
    "many short texts without the word",
    search(
      "xyz",
      Array.from({ length: 32_000 }, (_, id) => `a${id}`),
    ),
  ),
  worst(
    "text search",
    "many short texts with the word",
    search(
      "a",
      Array.from({ length: 32_000 }, (_, id) => `a${id}`),
    ),
  ),
  ...[":a:", ":coffee:", "<", "::"].map((unit) =>
    worst("renderSteps", `a label of ${unit}`, () => {
      const label = labelOf(repeated(unit, labelLength));
      return () => presentLabelDetails(label);
    }),
  ),
  ...["\n", "- [ ]\n", ">\n", "```\n", "- [x] \n"].map((unit) =>
    worst("tasks: stepsPerCharacter", `a description of ${JSON.stringify(unit)}`, () => {
      const description = `[ ]\n${repeated(unit, mebibyte)}`;
      return () => countTasks(description);
    }),
  ),
];
