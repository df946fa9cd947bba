import { expect, test } from "bun:test";
import { divideIntoShards } from "../support/checks/shards.ts";

const seconds: Readonly<Record<string, number>> = { a: 100, b: 30, c: 20, d: 10, e: 5, f: 1 };
const secondsOf = (file: string) => seconds[file] as number;

test("each file is in one shard, and a long file is alone", () => {
  const shards = divideIntoShards(Object.keys(seconds), secondsOf, 60);
  expect(shards.map(({ files }) => files)).toEqual([["a"], ["b", "e"], ["c", "d", "f"]]);
  expect(shards.flatMap(({ files }) => files).sort()).toEqual(Object.keys(seconds));
});

test("few files are one shard, and no files are none", () => {
  expect(divideIntoShards(["d", "f"], secondsOf, 60)).toEqual([{ files: ["d", "f"], seconds: 11 }]);
  expect(divideIntoShards([], secondsOf, 60)).toEqual([]);
});
