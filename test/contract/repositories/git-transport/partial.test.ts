import { describe, expect, test } from "bun:test";
import { Failure } from "../../../../src/domain/failure.ts";
import { packetLine } from "../../../../src/git/index.ts";
import { subscribe } from "../../../../src/modules/kernel/event.ts";
import { defineModule } from "../../../../src/modules/kernel/module.ts";
import { type Push, refPushed } from "../../../../src/modules/repositories/repositories/index.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { packOf, rawOid, treeOf, whole } from "../../../support/git/raw-packs.ts";
import { sendRaw } from "../../../support/process/raw-http.ts";
import { makeProject } from "../../ci/triggers-and-pipelines/setting.ts";

const noOid = "0".repeat(40);
const person = "Ann <ann@example.com> 1700000000 +0000";
const readme = Buffer.from("# Read me\n");
const tree = treeOf([["100644", "README.md", rawOid("blob", readme)]]);
const commitOf = (message: string) =>
  `tree ${rawOid("tree", tree).toString("hex")}\nauthor ${person}\ncommitter ${person}\n\n${message}\n`;
const idOf = (commit: string) => rawOid("commit", Buffer.from(commit)).toString("hex");
const [one, two] = [commitOf("one"), commitOf("two")];

describe("a push of which one ref is refused", async () => {
  let refused: "prepares" | "records" | undefined;
  const refuse = (step: typeof refused, { ref }: Push) => {
    if (refused === step && ref.endsWith("/refused")) throw new Failure("no_room", { message: "no room in the test" });
  };
  const subscriber = subscribe<Push, undefined>(refPushed, {
    prepare: async (_, push) => refuse("prepares", push) as undefined,
    run: (_tx, _context, push) => refuse("records", push),
  });
  const world = await startWorld({}, {}, [defineModule({ name: "subscriber", on: [subscriber] })]);

  async function push(project: Json, commands: readonly string[], capabilities = "") {
    const lines = commands.map((line, at) => packetLine(at === 0 ? `${line}\0 report-status ${capabilities}` : line));
    const entries = [whole("blob", readme), whole("tree", tree), whole("commit", one), whole("commit", two)];
    const { body } = await sendRaw(world.origin, {
      method: "POST",
      target: `/${project.path_with_namespace}.git/git-receive-pack`,
      headers: { "Content-Type": "application/x-git-receive-pack-request", "PRIVATE-TOKEN": rootToken },
      body: Buffer.concat([...lines, Buffer.from("0000"), packOf(entries)]),
    });
    return body;
  }
  const branchesOf = async ({ id }: Json) =>
    (await world.get(`/projects/${id}/repository/branches`)).body.map(({ name, commit }: Json) => [name, commit.id]);
  const create = (ref: string, commit = one) => `${noOid} ${idOf(commit)} refs/heads/${ref}`;

  test.each(["", "atomic"])("before any is switched changes none (%s)", async (capabilities) => {
    const project = await makeProject(world);
    refused = "prepares";
    const said = await push(project, [create("main"), create("refused"), create("later")], capabilities);
    refused = undefined;
    expect(said.match(/ng refs/g)).toHaveLength(3);
    expect(await branchesOf(project)).toEqual([]);
    expect((await world.get(`/projects/${project.id}`)).body.empty_repo).toBe(true);
  });

  test("as it is switched reports each as it is", async () => {
    const project = await makeProject(world);
    refused = "records";
    const said = await push(project, [create("main"), create("refused"), create("later")]);
    refused = undefined;
    expect(said).toContain("ok refs/heads/main");
    expect(said).toContain("ng refs/heads/refused failed to update ref");
    expect(said).toContain("ok refs/heads/later");
    expect(await branchesOf(project)).toEqual([
      ["later", idOf(one)],
      ["main", idOf(one)],
    ]);
    const { body } = await world.get(`/projects/${project.id}`);
    expect(body.default_branch).toBe("main");
    expect(body.readme_url).toEndWith("README.md");
  });

  test("as it is switched puts the others back, where it is atomic", async () => {
    const project = await makeProject(world);
    await push(project, [create("main"), create("old")]);
    const before = await branchesOf(project);
    refused = "records";
    const commands = [
      `${idOf(one)} ${noOid} refs/heads/old`,
      `${idOf(one)} ${idOf(two)} refs/heads/main`,
      create("new"),
      create("refused"),
    ];
    const said = await push(project, commands, "atomic");
    refused = undefined;
    expect(said.match(/ng refs/g)).toHaveLength(4);
    expect(await branchesOf(project)).toEqual(before);
  });

  test("as the first one puts an empty repository back, where it is atomic", async () => {
    const project = await makeProject(world);
    refused = "records";
    const said = await push(project, [create("main"), create("refused")], "atomic");
    refused = undefined;
    expect(said.match(/ng refs/g)).toHaveLength(2);
    const { body } = await world.get(`/projects/${project.id}`);
    expect(body).toMatchObject({ readme_url: null, empty_repo: true });
    expect(await push(project, [create("main"), create("refused")], "atomic")).toContain("ok refs/heads/main");
    expect((await world.get(`/projects/${project.id}/protected_branches`)).body).toHaveLength(1);
  });
});
