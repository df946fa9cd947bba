import { expect, test } from "bun:test";
import fc from "fast-check";
import { isFilePath, isRefName } from "../../../src/git/index.ts";

/** Whether git accepts the name; undefined without git. */
function gitTakes(name: string): boolean {
  return Bun.spawnSync(["git", "check-ref-format", `refs/heads/${name}`]).exitCode === 0;
}

const part = fc.constantFrom(
  "a",
  "B",
  "-",
  ".",
  "..",
  "/",
  "@",
  "{",
  "~",
  "^",
  ":",
  "?",
  "*",
  "[",
  "\\",
  " ",
  "é",
  ".lock",
  "x",
);

test.skipIf(Bun.which("git") === null)("a name of a branch is valid for git, too", () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const name = parts.join("");
      if (isRefName(name)) expect([name, gitTakes(name)]).toEqual([name, true]);
      else if (!name.startsWith("-") && name !== "@") expect([name, gitTakes(name)]).toEqual([name, false]);
    }),
    { numRuns: 200 },
  );
});

test.each(["a", "feature/one", "v1.0", "ü/ß", "a@b", "a-b_c", "x".repeat(200)])("%p names a branch", (name) => {
  expect(isRefName(name)).toBe(true);
});

test.each(["", "HEAD", "@", "-x", "a/", "/a", "a//b", "a.lock/b", ".a", "a/.b", "a\u0007b", "x".repeat(201)])(
  "%p is no branch name",
  (name) => {
    expect(isRefName(name)).toBe(false);
  },
);

test.each(["a", "dir/b.txt", ".gitignore", ".github/x", "git", "git~10", "a:b", "a.git", "ü b/ß", "-"])(
  "%p is the path of a file",
  (path) => {
    expect(isFilePath(path)).toBe(true);
  },
);

test.each([
  "",
  "/",
  "a/",
  "/a",
  "a//b",
  ".",
  "..",
  "a/../b",
  ".git",
  "a/.GiT/b",
  ".git.",
  ".git /x",
  "GIT~1",
  ".g\u200cit",
  ".git::$INDEX_ALLOCATION",
  "a\\b",
  "🙂b\\2/c",
  ".\u200c.",
  "git~2",
  ".git~9",
])("%p is no path", (path) => {
  expect(isFilePath(path)).toBe(false);
});

test("the name of a branch or tag has at most 16 parts", () => {
  const name = (parts: number) => Array.from({ length: parts }, () => "a").join("/");
  expect([isRefName(name(16)), isRefName(name(17))]).toEqual([true, false]);
});
