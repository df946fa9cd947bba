import { describe, expect, test } from "bun:test";
import { OneAtATime } from "../../../../src/lib/one-at-a-time.ts";
import type { CiFiles } from "../../../../src/modules/ci/ci-config/ci-files.ts";
import { Includes } from "../../../../src/modules/ci/ci-config/includes.ts";
import { Budget, FileMatcher, Globs } from "../../../../src/modules/ci/ci-config/index.ts";

const none = new Map<string, string>();
const paths = ["README.md", ".env", "Dockerfile", "src/main.ts", "src/lib/deep/a.rb", "src/lib/b.rb", "docs/a b.md"];
const questions = () => new FileMatcher({ all: paths, changed: paths });

describe("patterns of paths", () => {
  test.each([
    ["README.md", ["README.md"]],
    ["*", ["README.md", ".env", "Dockerfile"]],
    ["src/*", ["src/main.ts"]],
    ["src/**", ["src/main.ts"]],
    ["src/**/*", ["src/main.ts", "src/lib/deep/a.rb", "src/lib/b.rb"]],
    ["**/*.rb", ["src/lib/deep/a.rb", "src/lib/b.rb"]],
    ["src/**/lib/**/*.rb", ["src/lib/deep/a.rb", "src/lib/b.rb"]],
    ["**/Dockerfile", ["Dockerfile"]],
    ["*.{md,env}", ["README.md", ".env"]],
    ["{src,docs}/{main,a b}.{ts,md}", ["src/main.ts", "docs/a b.md"]],
    ["src/lib/[a-c].rb", ["src/lib/b.rb"]],
    ["src/lib/[!b].rb", []],
    ["READ?E.md", ["README.md"]],
    ["src?main.ts", []],
    ["*a*e*.*d*", []],
    ["**/**/a.rb", ["src/lib/deep/a.rb"]],
    ["**", ["README.md", ".env", "Dockerfile"]],
    ["src/li[b]/b.r[a-z]", ["src/lib/b.rb"]],
    ["*E*D*.md", ["README.md"]],
    ["none.txt", []],
    ["\\*", []],
    ["src[!a]main.ts", []],
    ["src[.-0]main.ts", []],
    ["src/[l-nz-x]ai[^a-m].ts", ["src/main.ts"]],
    ["docs/a[ \u{1F600}]b.md", ["docs/a b.md"]],
  ])("%s", (pattern, wanted) => {
    expect(questions().like(pattern)).toEqual(wanted);
    expect(questions().isChanged({ paths: [pattern], compareTo: undefined }, none)).toBe(wanted.length > 0);
  });

  test("may hold variables, and one of several is enough", () => {
    const variables = new Map([["DIR", "src"]]);
    expect(questions().exists({ paths: ["none", "$DIR/main.ts"] }, variables)).toBe(true);
    expect(questions().exists({ paths: ["none", "$DIR/none.ts"] }, variables)).toBe(false);
    expect(questions().exists({ paths: ["/README.md"] }, none)).toBe(true);
  });

  test("match when the answer is unknown", () => {
    const unknown = new FileMatcher({ all: undefined, changed: undefined });
    expect([
      unknown.exists({ paths: ["x"] }, none),
      unknown.isChanged({ paths: ["x"], compareTo: undefined }, none),
    ]).toEqual([true, true]);
  });

  test("have a known cost, in any form", () => {
    const long = Array.from({ length: 10_000 }, (_, at) => `${"a/".repeat(20)}${"a".repeat(200)}${at}`);
    const hostile = new FileMatcher({ all: long, changed: long });
    const tooMuch = "the patterns of the file take too long to match";
    expect(() => hostile.exists({ paths: [`${"**/*a/".repeat(40)}${"*a".repeat(100)}*`] }, none)).toThrow(tooMuch);
    const wide = new FileMatcher({ all: [], changed: [] });
    expect(() =>
      wide.isChanged({ paths: ["$LONG"], compareTo: undefined }, new Map([["LONG", "a".repeat(5000)]])),
    ).toThrow("too long");
    expect(() => questions().exists({ paths: [`${"{a,b}".repeat(20)}`] }, none)).toThrow("too many braces");
    expect(() => questions().exists({ paths: ["a".repeat(2000)] }, none)).toThrow("too long");
  });

  test("cost the same when a file uses them in includes", async () => {
    const paths = Array.from({ length: 10_000 }, (_, at) => `${"a/".repeat(20)}${"a".repeat(200)}${at}.yml`);
    const files: CiFiles = {
      sha: "0".repeat(40),
      tag: undefined,
      read: async () => "a: {script: x}",
      files: async () => ({ all: paths, changed: paths }),
      of: async () => "no project",
    };
    const hostile = Array.from({ length: 10 }, (_, at) => `"**/${"*a".repeat(100)}*b${at}*.yml"`);
    const ci = `include: [{local: a.yml, rules: [{exists: [${hostile.join(", ")}]}]}, "none*.yml"]`;
    await expect(new Includes(none, none, new OneAtATime()).read(ci, files)).rejects.toThrow(
      "the patterns of the file take too long",
    );
  });

  test("cost what their classes cost, too", () => {
    const spent = (pattern: string) => {
      const budget = new Budget();
      new FileMatcher({ all: ["a".repeat(1000)], changed: undefined }, new Globs(budget)).exists(
        { paths: [pattern] },
        none,
      );
      return budget.spent;
    };
    const signs = String.fromCodePoint(...Array.from({ length: 900 }, (_, at) => 0x4e00 + 2 * at));
    expect(spent(`*[${signs}]`) - spent("*[\u{4e00}]")).toBeGreaterThan(900);
  });

  test("cost what the search for the ends of their classes costs, and no alternative counts twice", () => {
    const spent = (pattern: string) => {
      const budget = new Budget();
      new FileMatcher({ all: ["a"], changed: undefined }, new Globs(budget)).exists({ paths: [pattern] }, none);
      return budget.spent;
    };
    expect(spent("[".repeat(1000)) - spent("x".repeat(1000))).toBeGreaterThan(20_000);
    expect(spent(`{${"a,".repeat(50)}a}*`)).toBeLessThan(2 * spent("{a,b}*"));
    expect(spent(`{a,b}${"{c}".repeat(300)}`) - spent("{a,b}")).toBeGreaterThan(2 * 300 * 16);
  });

  test("know signs beyond the basic plane", () => {
    const smileys = new FileMatcher({ all: ["\u{1F600}/\u{1F601}.md"], changed: undefined });
    for (const pattern of ["\u{1F600}/*", "?/*[\u{1F600}-\u{1F602}].md", "*/[!a]*d"]) {
      expect(smileys.exists({ paths: [pattern] }, none)).toBe(true);
    }
    expect(smileys.exists({ paths: ["*/[\u{1F602}-\u{1F600}].md"] }, none)).toBe(false);
  });
});
