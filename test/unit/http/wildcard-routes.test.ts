import { expect, test } from "bun:test";
import { DeepPaths } from "../../../src/http/entry/wildcard-routes.ts";

const paths = new DeepPaths<string>();
paths.add("GET", "/*path.git/HEAD", "head");
paths.add("GET", "/*path.git/objects/:folder/:name", "object");
paths.add("GET", "/*path.git/objects/info/packs", "packs");
paths.add("GET", "/v2/*name/blobs/:digest", "blob");
paths.add("DELETE", "/v2/*name/blobs/:digest", "delete blob");

const find = (path: string, method = "GET") => {
  const found = paths.find(path);
  return found === undefined ? undefined : [found.methods.get(method), Object.values(found.values)];
};

test("a parameter takes as many segments as it needs", () => {
  expect(find("/a/b.git/HEAD")).toEqual(["head", ["a/b"]]);
  expect(find("/a/b/c/d.git/HEAD")).toEqual(["head", ["a/b/c/d"]]);
  expect(find("/v2/a/b/blobs/sha256:00")).toEqual(["blob", ["a/b", "sha256:00"]]);
  expect(find("/v2/a/blobs/blobs/x", "DELETE")).toEqual(["delete blob", ["a/blobs", "x"]]);
});

test("it takes one at least, and the fixed end is needed", () => {
  for (const path of ["/.git/HEAD", "/a/b.git", "/a/b.git/HEAD/x", "/a/b.git/head", "/a/bXgit/HEAD", "/v2/blobs/x"]) {
    expect([path, find(path)]).toEqual([path, undefined]);
  }
});

test("fixed segments win over parameters, whichever came first", () => {
  expect(find("/a/b.git/objects/info/packs")).toEqual(["packs", ["a/b"]]);
  expect(find("/a/b.git/objects/info/other")).toEqual(["object", ["a/b", "info", "other"]]);
});

test("the values of parameters are decoded once", () => {
  expect(find("/a%20b/c%252F.git/HEAD")).toEqual(["head", ["a b/c%2F"]]);
});

test("other methods of a path are separate routes", () => {
  expect(paths.find("/v2/a/blobs/x")?.methods.has("PUT")).toBe(false);
});
