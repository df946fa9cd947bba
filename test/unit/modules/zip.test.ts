import { expect, test } from "bun:test";
import { fileInZip } from "../../../src/modules/ci/job-artifacts/zip.ts";
import { zipOf } from "../../support/ci/zip.ts";

const endLength = 22;

/** An archive of one file, whose table of contents names `count` others before it, each with a comment. */
function archiveBehind(count: number, comment = 0): Blob {
  const zip = Buffer.from(zipOf({ wanted: "here" }));
  const table = zip.subarray(zip.indexOf("PK\x01\x02"), zip.length - endLength);
  const filler = Buffer.concat([table, Buffer.alloc(comment)]);
  filler.write("filler", 46);
  filler.writeUInt16LE(comment, 32);
  const contents = Buffer.concat([...Array.from({ length: count }, () => filler), table]);
  const end = Buffer.from(zip.subarray(zip.length - endLength));
  end.writeUInt32LE(contents.length, 12);
  return new Blob([zip.subarray(0, zip.length - endLength - table.length), contents, end]);
}

/** Returns an array that gets the length of each part read from the archive. */
function watched(archive: Blob) {
  const lengths: number[] = [];
  const slice = archive.slice.bind(archive);
  archive.slice = (from = 0, to = archive.size, type?: string) => {
    lengths.push(Math.min(to, archive.size) - from);
    return slice(from, to, type);
  };
  return lengths;
}

const textIn = async (archive: Blob) => new Response((await fileInZip(archive, "wanted"))?.content).text();

test("a file is found behind a hundred thousand others, and not behind more", async () => {
  expect(await textIn(archiveBehind(99_999))).toBe("here");
  expect(await fileInZip(archiveBehind(100_000), "wanted")).toBeUndefined();
});

test("a table of contents is read in pieces, and entries across two pieces are complete", async () => {
  for (const comment of [0, 1, 7, 30_000]) {
    const archive = archiveBehind(comment === 30_000 ? 300 : 20_000, comment);
    const lengths = watched(archive);
    expect(await textIn(archive)).toBe("here");
    expect(Math.max(...lengths)).toBeLessThanOrEqual(256 * 1024);
  }
});

test("a table of more than 16 MiB is not read", async () => {
  const archive = archiveBehind(300, 60_000);
  const lengths = watched(archive);
  expect(await fileInZip(archive, "wanted")).toBeUndefined();
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(128 * 1024);
});
