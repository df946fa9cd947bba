import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { pictureFile } from "../../support/browser/pictures.ts";
import { type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const token = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let folder: TempFolder;

beforeAll(async () => {
  folder = await createTempFolder();
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse battery" } });
  await made("groups", "-F", "name=Skylark", "-F", "path=skylark");
  await made("groups", "-F", "name=Apps", "-F", "path=apps", "-F", "parent_id=2");
  const project = ["-F", "namespace_id=3", "-F", "initialize_with_readme=true"];
  await made("projects", "-F", "name=Station", "-F", "path=station", ...project);
  await made("projects", "-F", "name=Issues", "-F", "path=issues", "-F", "namespace_id=2");
});

afterAll(async () => {
  await outpost[Symbol.asyncDispose]();
  await folder.remove();
});

/** `outpost api`, to the server of these tests with root's token. */
function api(...args: string[]) {
  return runOutpost(["api", ...args], { env: { OUTPOST_URL: outpost.origin, OUTPOST_TOKEN: token } });
}

async function made(path: string, ...args: string[]): Promise<unknown> {
  const { stdout, stderr } = await api("POST", path, ...args);
  expect(stderr).toBe("201 Created\n");
  return JSON.parse(stdout);
}

describe("a path with unencoded slashes", () => {
  test.each([
    ["projects/skylark/apps/station", { path_with_namespace: "skylark/apps/station" }],
    ["/api/v4/projects/skylark/apps/station?license=true", { path_with_namespace: "skylark/apps/station" }],
    ["projects/skylark%2Fapps%2Fstation", { path_with_namespace: "skylark/apps/station" }],
    ["projects/skylark/issues", { path_with_namespace: "skylark/issues" }],
    ["groups/skylark/apps", { full_path: "skylark/apps" }],
    ["groups/skylark/apps/projects", [{ path_with_namespace: "skylark/apps/station" }]],
    ["projects/skylark/apps/station/repository/branches/main", { name: "main" }],
    ["projects/skylark/apps/station/repository/files/README.md?ref=main", { file_path: "README.md" }],
    ["projects/1/repository/branches/main", { name: "main" }],
  ])("leads %s to its resource", async (path, answer) => {
    const { exitCode, stdout } = await api("GET", path);
    expect(JSON.parse(stdout)).toMatchObject(answer);
    expect(exitCode).toBe(0);
  });

  test("is sent as it is when no operation fits", async () => {
    expect(await api("PATCH", "projects/skylark/apps/station")).toMatchObject({ exitCode: 4 });
  });
});

describe("--paginate", () => {
  test("prints all pages as one array, indented or not", async () => {
    for (const title of ["One", "Two", "Three"]) {
      await made("projects/skylark/apps/station/issues", "-F", `title=${title}`);
    }
    const path = "projects/skylark/apps/station/issues";
    const whole = await api("GET", path, "--paginate");
    expect([whole.exitCode, whole.stderr]).toEqual([0, "200 OK\n"]);
    expect((JSON.parse(whole.stdout) as { title: string }[]).map(({ title }) => title)).toEqual([
      "Three",
      "Two",
      "One",
    ]);
    const paged = await api("GET", path, "-F", "per_page=2", "--paginate");
    expect(paged.stdout).toBe(whole.stdout);
    const indented = await api("GET", path, "-F", "per_page=1", "--paginate", "--json");
    expect(indented.stdout).toBe(`${JSON.stringify(JSON.parse(whole.stdout), null, 2)}\n`);
    expect((await api("GET", path, "-F", "search=none", "--paginate")).stdout).toBe("[]");
  });

  test("reports a page that fails, an answer that is no list, and another method", async () => {
    expect(await api("GET", "projects/987/issues", "--paginate")).toMatchObject({
      ...{ exitCode: 4, stdout: '{"message":"404 Project Not Found"}', stderr: "404 Not Found\n" },
    });
    const single = await api("GET", "user", "--paginate");
    expect([single.exitCode, single.stderr]).toEqual([
      2,
      expect.stringContaining("outpost: the answer is not a list\n"),
    ]);
    const posted = await api("POST", "users", "--paginate");
    expect([posted.exitCode, posted.stderr]).toEqual([2, expect.stringContaining("outpost: --paginate is for GET\n")]);
  });
});

test("-i prints the status and the headers before the body", async () => {
  const { stdout } = await api("GET", "/version", "-i");
  const [head = "", body = ""] = stdout.split("\n\n");
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\n/);
  expect(head).toMatch(/^content-type: application\/json$/m);
  expect(JSON.parse(body)).toHaveProperty("version");
});

describe("-H", () => {
  test("adds a header, and a credential replaces the token", async () => {
    await made(
      "users",
      "-F",
      "username=mara",
      "-F",
      "name=Mara",
      "-F",
      "email=m@x.example",
      "-F",
      "force_random_password=true",
    );
    const sudo = await api("GET", "/user", "-H", "Sudo: mara");
    expect(JSON.parse(sudo.stdout)).toMatchObject({ username: "mara" });
    expect(await api("GET", "/user", "-H", "Authorization: Bearer no-token-at-all")).toMatchObject({ exitCode: 4 });
  });

  test.each(["none", ": x", "a b: c", "X: a\nb"])("refuses %j", async (header) => {
    const { exitCode, stderr } = await api("GET", "/user", "-H", header);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("expected Name: value")]);
  });
});

describe("-F with a file", () => {
  test("sends a multipart form with the bytes and the name of the file", async () => {
    const bytes = pictureFile("png", "station.png");
    const path = join(folder.path, "station.png");
    await Bun.write(path, bytes);
    const changed = await api("PUT", "projects/skylark/apps/station", "-F", "name=Base", "-F", `avatar=@${path}`);
    const project = JSON.parse(changed.stdout) as { name: string; avatar_url: string };
    expect([project.name, project.avatar_url]).toEqual(["Base", expect.stringMatching(/\/station\.png$/)]);
    const read = await fetch(project.avatar_url, { headers: { "PRIVATE-TOKEN": token } });
    expect(await read.bytes()).toEqual(await bytes.bytes());
  });

  test("refuses a missing file, and takes @ literally in a query", async () => {
    const { exitCode, stderr } = await api("PUT", "projects/1", "-F", "avatar=@/nowhere/x");
    expect([exitCode, stderr]).toEqual([
      ...[2, "outpost: -F names the file /nowhere/x, which does not exist\ntry: ls -l /nowhere/x\n"],
    ]);
    expect(await api("GET", "users", "-F", "search=@x")).toMatchObject({ exitCode: 0, stdout: "[]" });
  });
});
