import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import {
  definitionsWith,
  readDefinitions,
  shippedDefinitions,
} from "../../../../src/modules/admin/feature-flags/index.ts";
import { createTempFolder, type TempFolder } from "../../../support/process/temp-folder.ts";

let folder: TempFolder;
let count = 0;
let path: string;

beforeAll(async () => {
  folder = await createTempFolder();
});
afterAll(() => folder.remove());
beforeEach(() => {
  count += 1;
  path = join(folder.path, String(count));
});

test("a file has one definition, in YAML or JSON; missing fields have their defaults", async () => {
  await Bun.write(
    join(path, "a.yml"),
    "name: new_search\ntype: experiment\nmilestone: 17.2\ngroup: group::search\nlog_state_changes: true\n",
  );
  await Bun.write(join(path, "b.json"), `{"name":"old_search","type":"ops","default_enabled":true}`);
  await Bun.write(join(path, "notes.txt"), "not a definition");
  expect(readDefinitions(path)).toEqual([
    {
      name: "new_search",
      introduced_by_url: null,
      rollout_issue_url: null,
      milestone: "17.2",
      log_state_changes: true,
      type: "experiment",
      group: "group::search",
      default_enabled: false,
    },
    {
      name: "old_search",
      introduced_by_url: null,
      rollout_issue_url: null,
      milestone: null,
      log_state_changes: null,
      type: "ops",
      group: null,
      default_enabled: true,
    },
  ]);
});

test.each([
  ["milestone: 15.10", "15.10"],
  ["milestone: 16.0  # of May", "16.0"],
  ["milestone: '16.0'", "16.0"],
  ["milestone: 17", "17"],
])("%s is shown as it is written", async (line, milestone) => {
  await Bun.write(join(path, "a.YAML"), `name: x\ntype: ops\n${line}\n`);
  expect(readDefinitions(path)[0]?.milestone).toBe(milestone);
});

test("no field is repeated", async () => {
  await Bun.write(join(path, "a.yml"), `name: x\ntype: ops\ngroup: a\n"name": y\n`);
  expect(() => readDefinitions(path)).toThrow("name is there twice");
});

test.each([
  ["{", "JSON Parse error"],
  ["[]", "it has to hold one definition"],
  ["null", "it has to hold one definition"],
  [`{"type":"ops"}`, "name has to be a text"],
  [`{"name":"x"}`, "type has to be one of development, ops, experiment"],
  [`{"name":"x","type":"wip"}`, "type has to be one of development, ops, experiment"],
  [`{"name":"x","type":"ops","default_enabled":"yes"}`, "default_enabled has to be true or false"],
  [`{"name":"x","type":"ops","log_state_changes":1}`, "log_state_changes has to be true or false"],
  [`{"name":"x","type":"ops","group":[]}`, "group has to be a text"],
  [`{"name":"x","type":"ops","owner":"me"}`, "owner is no field of a definition"],
])("%s is refused with the file and the reason", async (content, reason) => {
  await Bun.write(join(path, "a.json"), content);
  expect(() => readDefinitions(path)).toThrow(`the feature definition ${join(path, "a.json")} cannot be used: `);
  expect(() => readDefinitions(path)).toThrow(reason);
});

test("a missing folder is refused", () => {
  expect(() => readDefinitions(path)).toThrow(`there is no folder of feature definitions at ${path}`);
});

test("no name is defined twice", () => {
  const [shipped] = shippedDefinitions;
  if (shipped === undefined) throw new Error("nothing is shipped");
  expect(() => definitionsWith([shipped])).toThrow(`the feature definition ${shipped.name} is there twice`);
});
