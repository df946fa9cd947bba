import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFile, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pictureFile } from "../../support/browser/pictures.ts";
import { runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "a-token-for-tests-0123456789";
const revokedTokens = 520;
let folder: TempFolder;
let data: string;
let exported: string;

/** Names and contents of the files of an export. */
async function contentOf(path: string): Promise<Record<string, string>> {
  const entries = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const contents = entries.map(async (entry) => {
    const file = join(entry.parentPath, entry.name);
    return [file.slice(path.length + 1), await readFile(file, "latin1")] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}

async function run(...args: string[]) {
  const ended = await runOutpost(args);
  if (ended.exitCode !== 0) throw new Error(`outpost ${args.join(" ")}: ${ended.stderr}`);
  return ended;
}

/** Makes nine users, more audit events than a segment has, and a picture. */
beforeAll(async () => {
  folder = await createTempFolder();
  data = join(folder.path, "data");
  exported = join(folder.path, "exported");
  await using outpost = await startOutpost({ dataFolder: data, env: { OUTPOST_ROOT_TOKEN: rootToken } });
  const call = async (method: string, path: string, body?: object) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${outpost.origin}/api/v4${path}`, {
      method,
      headers: { "PRIVATE-TOKEN": rootToken, ...(isForm ? {} : { "Content-Type": "application/json" }) },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 204 ? {} : await answer.json()) as { id: number };
  };
  for (const name of ["mara", "jonas", "ines", "tomas", "aiko", "lena", "piotr", "zoe"]) {
    await call("POST", "/users", {
      name,
      username: name,
      email: `${name}@people.example`,
      force_random_password: true,
    });
  }
  const tokens = Array.from({ length: revokedTokens }, (_, at) => `token ${at}`).values();
  const makeAndRevoke = async () => {
    for (const name of tokens) {
      const { id } = await call("POST", "/users/9/personal_access_tokens", { name, scopes: ["api"] });
      await call("DELETE", `/personal_access_tokens/${id}`);
    }
  };
  await Promise.all([makeAndRevoke(), makeAndRevoke(), makeAndRevoke(), makeAndRevoke()]);
  const form = new FormData();
  form.set("avatar", pictureFile("png", "a.png"));
  form.set("bio", "Lines end\u2028in many\u2029ways.");
  await call("PUT", "/users/2", form);
  await outpost.stop();
  await run("export", exported, "--data", data, "--secrets");
}, 180_000);
afterAll(() => folder.remove());

test("an export of an imported export is the same", async () => {
  const copy = join(folder.path, "copy");
  const again = join(folder.path, "again");
  const { stdout, stderr } = await run("import", exported, "--data", copy, "--log-level", "silent");
  expect(stdout).toMatch(/^audit-events +\d{4}\n(.*\n)*users +9\n/);
  expect(stderr).toBe("an export contains no repositories; outpost backup does\n");
  expect((await run("check", "--data", copy)).stdout).toBe(`${copy} is sound\n`);
  await run("export", again, "--data", copy, "--secrets");
  const { "outpost-export.json": first = "", ...one } = await contentOf(exported);
  const { "outpost-export.json": second = "", ...other } = await contentOf(again);
  expect(other).toEqual(one);
  expect(JSON.parse(second).documents).toEqual(JSON.parse(first).documents);
  expect(Object.keys(one).filter((name) => name.startsWith("blobs/"))).toHaveLength(1);
  await using outpost = await startOutpost({ dataFolder: copy });
  const answer = await fetch(`${outpost.origin}/api/v4/users`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "New", username: "new", email: "new@people.example", force_random_password: true }),
  });
  expect([answer.status, ((await answer.json()) as { id: number }).id]).toEqual([201, 10]);
}, 180_000);

test("without its flag, an export has no credentials", async () => {
  const shown = join(folder.path, "shown");
  const copy = join(folder.path, "copy-without-secrets");
  const { stderr } = await run("export", shown, "--data", data);
  expect(stderr).toBe("the export contains no secrets\n");
  const text = Object.values(await contentOf(shown)).join("\n");
  const digest = new Bun.CryptoHasher("sha256").update(rootToken).digest("hex");
  expect(Object.values(await contentOf(exported)).join("\n")).toContain(digest);
  expect(text).not.toContain(digest);
  expect(text).not.toContain("$argon2");
  expect(text).toContain('"password_digest":null');
  const imported = await run("import", shown, "--data", copy, "--log-level", "silent");
  expect(imported.stderr).toContain("the export contains no passwords and tokens");
  await using outpost = await startOutpost({ dataFolder: copy });
  const refused = await fetch(`${outpost.origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": rootToken } });
  expect(refused.status).toBe(401);
}, 180_000);

describe("an export that was changed by hand", () => {
  let count = 0;

  async function importChanged(change: (path: string) => Promise<unknown>) {
    count += 1;
    const changed = join(folder.path, `changed${count}`);
    const target = join(folder.path, `target${count}`);
    await cp(exported, changed, { recursive: true });
    await change(changed);
    const { exitCode, stderr } = await runOutpost(["import", changed, "--data", target, "--log-level", "silent"]);
    if (exitCode !== 0) expect(await readdir(folder.path)).not.toContain(`target${count}`);
    return { exitCode, stderr: stderr.replaceAll(`${changed}/`, ""), target };
  }

  test("is refused with file and line for an invalid document", async () => {
    const users = (await readFile(join(exported, "users.jsonl"), "utf8")).split("\n");
    const cases: Record<string, [number, string]> = {
      "users.jsonl:3: not a JSON object": [2, "{"],
      "users.jsonl:2: id must be a positive integer": [1, '{"id":"7"}'],
      "users.jsonl:4: id must be at most 16777216": [3, '{"id":9007199254740991}'],
      "users.jsonl:9: users: 1 exists": [8, users[0] as string],
    };
    for (const [words, [at, line]] of Object.entries(cases)) {
      const { exitCode, stderr } = await importChanged((path) =>
        writeFile(join(path, "users.jsonl"), users.with(at, line).join("\n")),
      );
      expect([exitCode, stderr]).toEqual([
        3,
        `outpost: ${words}\ntry: outpost import FOLDER, after you corrected it; nothing was changed\n`,
      ]);
    }
  });

  test("is refused with file, line and field for a document that does not fit its resource", async () => {
    const users = (await readFile(join(exported, "users.jsonl"), "utf8")).split("\n");
    const tokens = (await readFile(join(exported, "personal-access-tokens.jsonl"), "utf8")).split("\n");
    const changed = (lines: string[], at: number, fields: object) =>
      lines.with(at, JSON.stringify({ ...JSON.parse(lines[at] as string), ...fields })).join("\n");
    const cases: [string, string, string][] = [
      ["users", changed(users, 3, { state: "asleep" }), '4: state is "asleep"; expected one of active, blocked, '],
      [
        "personal-access-tokens",
        changed(tokens, 5, { scopes: ["ape"] }),
        '6: scopes[0] is "ape"; expected one of api, ',
      ],
    ];
    for (const [name, text, words] of cases) {
      const { exitCode, stderr } = await importChanged((path) => writeFile(join(path, `${name}.jsonl`), text));
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining(`outpost: ${name}.jsonl:${words}`)]);
      expect(stderr.trimEnd().split("\n")).toHaveLength(2);
    }
  });

  test("is refused with file, line and field for a reference to a missing document", async () => {
    const linesOf = async (name: string) => (await readFile(join(exported, `${name}.jsonl`), "utf8")).split("\n");
    const [users, tokens] = [await linesOf("users"), await linesOf("personal-access-tokens")];
    const changed = (lines: string[], at: number, fields: object) =>
      lines.with(at, JSON.stringify({ ...JSON.parse(lines[at] as string), ...fields })).join("\n");
    const cases: [string, string, string][] = [
      [
        "users",
        changed(users, 3, { namespace_id: 777 }),
        "users.jsonl:4: namespace_id is 777; namespaces has no such id",
      ],
      [
        "personal-access-tokens",
        changed(tokens, 5, { user_id: 778 }),
        "personal-access-tokens.jsonl:6: user_id is 778; users has no such id",
      ],
      [
        "users",
        users.toSpliced(8, 1).join("\n"),
        `namespaces.jsonl:9: owner_id is ${JSON.parse(users[8] as string).id}; users has no such id`,
      ],
    ];
    for (const [name, text, words] of cases) {
      const { exitCode, stderr } = await importChanged((path) => writeFile(join(path, `${name}.jsonl`), text));
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining(`outpost: ${words}\n`)]);
    }
  });

  test("is refused for a taken name, an unknown resource, and a missing blob", async () => {
    const taken = await importChanged(async (path) => {
      const [root = "{}"] = (await readFile(join(path, "users.jsonl"), "utf8")).split("\n");
      await appendFile(join(path, "users.jsonl"), `${JSON.stringify({ ...JSON.parse(root), id: 99 })}\n`);
    });
    expect([taken.exitCode, taken.stderr]).toEqual([3, expect.stringMatching(/^outpost: users\.jsonl:10: users\./)]);
    const unknown = await importChanged((path) => writeFile(join(path, "unicorns.jsonl"), "{}"));
    expect(unknown.stderr).toStartWith("outpost: unicorns.jsonl: this version has no unicorns\n");
    const missing = await importChanged(async (path) => {
      const [blob = ""] = await readdir(join(path, "blobs"));
      await writeFile(join(path, "blobs", blob), "other bytes");
    });
    expect(missing.stderr).toMatch(/^outpost: blobs\/[0-9a-f]{64}: its content does not match the hash/);
  });

  test("is refused for sequences that would give ids twice, or none", async () => {
    const gone = await importChanged((path) => rm(join(path, "sequences.jsonl")));
    expect([gone.exitCode, gone.stderr]).toEqual([3, expect.stringMatching(/^outpost: sequences\.jsonl is missing\n/)]);
    for (const [last, words] of [
      ['"7"', 'last is "7"; expected a whole number'],
      ["9007199254740991", "last must be an integer up to 67108864"],
    ]) {
      const odd = await importChanged(async (path) => {
        const text = await readFile(join(path, "sequences.jsonl"), "utf8");
        await writeFile(join(path, "sequences.jsonl"), text.replace(/"last":\d+/, `"last":${last}`));
      });
      expect([odd.exitCode, odd.stderr]).toEqual([3, expect.stringContaining(`sequences.jsonl:1: ${words}`)]);
    }
  });

  test("is imported when it is valid, and ids continue after the largest", async () => {
    const { exitCode, stderr, target } = await importChanged(async (path) => {
      const lines = (await readFile(join(path, "personal-access-tokens.jsonl"), "utf8")).trimEnd().split("\n");
      const last = JSON.parse(lines.at(-1) as string);
      const digest = new Bun.CryptoHasher("sha256").update("by-hand-token-0123456789").digest("hex");
      const added = {
        ...last,
        id: 5_000,
        user_id: 1,
        digest,
        revoked: false,
        expires_at: null,
        nickname: "n",
      };
      await appendFile(join(path, "personal-access-tokens.jsonl"), `${JSON.stringify(added)}\n`);
    });
    expect([exitCode, stderr]).toEqual([
      0,
      `personal-access-tokens: ${revokedTokens + 1} were exported, ${revokedTokens + 2} are in the folder\n` +
        "personal-access-tokens.nickname: unknown to this version; documents that keep it: 1\n" +
        "an export contains no repositories; outpost backup does\n",
    ]);
    await using outpost = await startOutpost({ dataFolder: target });
    const answer = await fetch(`${outpost.origin}/api/v4/users/1/personal_access_tokens`, {
      method: "POST",
      headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "next", scopes: ["api"] }),
    });
    expect(((await answer.json()) as { id: number }).id).toBe(5_001);
  });
});

test("a seeded store is the same after an import, and ids that were added manually are not reused", async () => {
  const seeded = join(folder.path, "seeded");
  const [first, second] = [join(folder.path, "seeded-1"), join(folder.path, "seeded-2")];
  const copy = join(folder.path, "seeded-copy");
  await run("seed", "--data", seeded, "--json");
  await run("export", first, "--data", seeded, "--secrets");
  const [issue] = (await readFile(join(first, "issues.jsonl"), "utf8"))
    .split("\n")
    .map((line) => JSON.parse(line || "0"));
  await appendFile(join(first, "issues.jsonl"), `${JSON.stringify({ ...issue, id: 90_001, iid: 5_000 })}\n`);
  const { project_id: project, created_at, updated_at } = issue;
  const storages = { source_storage_name: "default", destination_storage_name: "b" };
  const move = { id: 70_000, container_id: project, state: "finished", ...storages, error_message: null };
  await appendFile(
    join(first, "project-storage-moves.jsonl"),
    `${JSON.stringify({ ...move, created_at, updated_at })}\n`,
  );
  await run("import", first, "--data", copy, "--log-level", "silent");
  await run("export", second, "--data", copy, "--secrets");

  const [one, other] = [await contentOf(first), await contentOf(second)];
  expect(Object.keys(other).sort()).toEqual(Object.keys(one).sort());
  const differing = Object.keys(one).filter((name) => one[name] !== other[name]);
  expect(differing.sort()).toEqual(["outpost-export.json", "sequences.jsonl"]);
  const sequencesOf = (text = "") => text.trimEnd().split("\n");
  const raised = sequencesOf(other["sequences.jsonl"]).filter((line) => !one["sequences.jsonl"]?.includes(line));
  expect(raised.map((line) => JSON.parse(line)).map(({ name, last }) => [name, last])).toEqual([
    ["project-storage-moves", 70_000],
    ["issues", 90_001],
    [`issues of project ${project}`, 5_000],
  ]);
}, 60_000);

test("a folder with files in it is neither exported nor imported into", async () => {
  const twice = await runOutpost(["export", exported, "--data", data]);
  expect([twice.exitCode, twice.stderr]).toEqual([
    2,
    `outpost: ${exported} is not empty\ntry: outpost export FOLDER, with an empty or new folder\n`,
  ]);
  const held = await runOutpost(["import", exported, "--data", data]);
  expect(held.stderr).toStartWith(`outpost: ${data} holds a store already`);
  const none = await runOutpost(["import", folder.path, "--data", join(folder.path, "x")]);
  expect(none.stderr).toStartWith(`outpost: ${folder.path} contains no export`);
});
