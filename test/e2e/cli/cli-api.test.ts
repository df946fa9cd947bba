import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { executable, type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { runOnTerminal } from "../../support/process/terminal.ts";

const token = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse battery" } });
});

afterAll(() => outpost[Symbol.asyncDispose]());

/** `outpost api`, to the server of these tests with root's token. */
function api(...args: string[]) {
  return runOutpost(["api", ...args], { env: { OUTPOST_URL: outpost.origin, OUTPOST_TOKEN: token } });
}

describe("an answer", () => {
  test("is the status on stderr and the body on stdout, as it was sent", async () => {
    const { exitCode, stdout, stderr } = await api("GET", "/user");
    expect([exitCode, stderr]).toEqual([0, "200 OK\n"]);
    const sent = await fetch(`${outpost.origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": token } });
    expect(stdout).toBe(await sent.text());
  });

  test("is indented by --json, and stays as it is when it is no JSON", async () => {
    const { stdout } = await api("get", "version", "--json");
    expect(stdout).toMatch(/^\{\n {2}"version": ".*\n\}\n$/s);
    expect((await api("GET", "/-/metrics", "--json")).stdout).toStartWith("# HELP ");
  });

  test("is indented on a terminal, unless --raw is given", async () => {
    const env = { OUTPOST_URL: outpost.origin };
    expect(await runOnTerminal(["api", "GET", "/-/health"], env)).toBe('200 OK\n{\n  "status": "ok"\n}\n');
    expect(await runOnTerminal(["api", "GET", "/-/health", "--raw"], env)).toBe('200 OK\n{"status":"ok"}');
  });

  test("without a body prints nothing", async () => {
    expect(await api("HEAD", "/users", "--json")).toMatchObject({ exitCode: 0, stdout: "", stderr: "200 OK\n" });
  });

  test("that is 4xx ends with 4, its body is printed", async () => {
    expect(await api("GET", "/users/999")).toMatchObject({
      exitCode: 4,
      stdout: '{"message":"404 User Not Found"}',
      stderr: "404 Not Found\n",
    });
  });

  test("that has a reason shows it", async () => {
    expect((await api("GET", "/nothing")).stderr).toBe("404 Not Found (unknown operation)\n");
  });

  test.each([
    [503, 5],
    [500, 5],
    [302, 1],
  ])("that is %d ends with %d", async (status, code) => {
    await using other = Object.assign(
      Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: () => new Response("{}", { status, headers: { Location: "/x" } }),
      }),
    );
    const { exitCode, stdout } = await runOutpost(["api", "GET", "/user", "--url", `http://127.0.0.1:${other.port}`]);
    expect([exitCode, stdout]).toEqual([code, "{}"]);
  });

  test("that is missing ends with 1 and a hint", async () => {
    const { exitCode, stdout, stderr } = await runOutpost(["api", "GET", "/user", "--url", "http://127.0.0.1:1"]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^outpost: no answer from http:\/\/127\.0\.0\.1:1: .*\ntry: outpost serve\n$/);
  });
});

describe("a request", () => {
  test("has fields in the query of a GET and in the form of a POST", async () => {
    const user = [
      "-F",
      "name=Inès M.",
      "-F",
      "username=ines",
      "-F",
      "email=i@x.example",
      "-F",
      "force_random_password=1",
    ];
    const made = await api("POST", "/users", ...user);
    expect([made.exitCode, made.stderr]).toEqual([0, "201 Created\n"]);
    const { id } = JSON.parse(made.stdout) as { id: number };
    const found = await api("GET", "/users?per_page=1", "-F", "search=Inès M.");
    expect(JSON.parse(found.stdout)).toMatchObject([{ id, name: "Inès M." }]);
    const scopes = ["-F", "scopes[]=api", "-F", "scopes[]=read_user", "-F", "name=x"];
    const { stdout } = await api("POST", `/users/${id}/personal_access_tokens`, ...scopes);
    expect(JSON.parse(stdout)).toMatchObject({ scopes: ["api", "read_user"] });
  });

  test("has the body of a DELETE, too", async () => {
    const { id } = JSON.parse((await api("POST", "/projects", "-F", "name=notes")).stdout) as { id: number };
    const path = `/projects/${id}/repository/files/a.txt`;
    const commit = { branch: "main", commit_message: "Change a file" };
    await api("POST", path, "-d", JSON.stringify({ ...commit, content: "x" }));
    const { exitCode, stderr } = await api("DELETE", path, "-d", JSON.stringify(commit));
    expect([exitCode, stderr]).toEqual([0, "204 No Content\n"]);
  });

  test("has a JSON body from the command line or from stdin", async () => {
    const { exitCode, stdout } = await api("PUT", "/application/settings", "-d", '{"offset_pagination_limit":1000}');
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ offset_pagination_limit: 1000 })]);
    const piped =
      await Bun.$`echo '{"offset_pagination_limit":50000}' | ${executable} api PUT /application/settings -d -`
        .env({ ...process.env, OUTPOST_URL: outpost.origin, OUTPOST_TOKEN: token })
        .json();
    expect(piped).toMatchObject({ offset_pagination_limit: 50_000 });
  });

  test("uses no proxy", async () => {
    const env = { OUTPOST_URL: outpost.origin, OUTPOST_TOKEN: token };
    const proxies = { HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1", NO_PROXY: "", no_proxy: "" };
    expect(await runOutpost(["api", "GET", "/user"], { env: { ...env, ...proxies } })).toMatchObject({ exitCode: 0 });
  });
});

describe("the token", () => {
  test("is root's own from the data folder, for a server on this machine", async () => {
    await using first = await startOutpost();
    const args = ["api", "GET", "/user", "--url", first.origin];
    expect(await runOutpost([...args, "--data", first.dataFolder])).toMatchObject({ exitCode: 0 });
    expect(await runOutpost(args)).toMatchObject({
      exitCode: 4,
      stderr: "401 Unauthorized\nno token was sent; set --token or OUTPOST_TOKEN\n",
    });
  });

  test("given by a flag takes precedence", async () => {
    expect(await api("GET", "/user", "--token", "nonsense")).toMatchObject({
      exitCode: 4,
      stderr: "401 Unauthorized\n",
    });
  });

  test("of root is not sent to another machine", async () => {
    await using folder = await createTempFolder();
    await writeFile(join(folder.path, "initial-root-credentials"), `token: ${token}\n`);
    const seen: (string | null)[] = [];
    await using elsewhere = Object.assign(
      Bun.serve({
        port: 0,
        hostname: "0.0.0.0",
        fetch: (request) => {
          seen.push(request.headers.get("PRIVATE-TOKEN"));
          return new Response();
        },
      }),
    );
    for (const host of ["0.0.0.0", "127.0.0.1"]) {
      await runOutpost(["api", "GET", "/user", "--url", `http://${host}:${elsewhere.port}`, "--data", folder.path]);
    }
    expect(seen).toEqual([null, token]);
  });
});

describe("wrong use", () => {
  test.each([
    [["GRT", "/user"], "GRT is not a method; expected GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS"],
    [["GET", "http://x.example/user"], "http://x.example/user is not a path"],
    [["GET", "/user", "-F", "name"], '-F is "name"; expected key=value'],
    [["POST", "/users", "-d", "{"], "the body given with -d is not JSON"],
    [["POST", "/users", "-d", "{}", "-F", "a=b"], "-F and -d exclude each other"],
    [["GET", "/user", "--json", "--raw"], "option '--json' cannot be used with option '--raw'"],
    [["GET"], "missing required argument 'path'"],
  ])("%p", async (args, message) => {
    const { exitCode, stdout, stderr } = await api(...args);
    expect([exitCode, stdout, stderr.split("\n")[0]]).toEqual([2, "", `outpost: ${message}`]);
  });

  test("without a known address", async () => {
    const { exitCode, stderr } = await runOutpost(["api", "GET", "/user"], { env: { OUTPOST_PORT: "0" } });
    expect(exitCode).toBe(2);
    expect(stderr).toStartWith("outpost: OUTPOST_PORT is 0, which is no address to call\n");
  });
});
