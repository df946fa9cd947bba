import { expect, test } from "bun:test";
import { type FileHandle, readdir } from "node:fs/promises";
import { piecesAhead } from "../../../../src/git/work/messages.ts";
import { PieceQueue } from "../../../../src/git/work/piece-queue.ts";
import { openSpool } from "../../../../src/git/work/spool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

test("a spool opens however many do at a time, and leaves no name", async () => {
  await using folder = await createTempFolder();
  const files = await Promise.all(Array.from({ length: 200 }, () => openSpool(folder.path)));
  for (const file of files) {
    await file?.write("abc");
    await file?.close();
  }
  expect(files.every((file) => file !== undefined)).toBe(true);
  expect(await readdir(`${folder.path}/@incoming`)).toEqual([]);
});

test("a piece does not overtake one that is being written to the file", async () => {
  await using folder = await createTempFolder();
  const written = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const openSlowFile = async () => {
    const file = (await openSpool(folder.path)) as FileHandle;
    const write = async (bytes: Uint8Array, offset: number, length: number, position: number) => {
      begun.resolve();
      await written.promise;
      return file.write(bytes, offset, length, position);
    };
    const slow: Pick<FileHandle, "read" | "close"> & { write: typeof write } = {
      write,
      read: file.read.bind(file) as FileHandle["read"],
      close: () => file.close(),
    };
    return slow as unknown as FileHandle;
  };
  const queue = new PieceQueue(openSlowFile, () => {});
  const names = ["in memory", "in the file", "behind it"];
  for (let at = 0; at < piecesAhead; at += 1) queue.add(Buffer.from("in memory"));
  queue.add(Buffer.from("in the file"));
  await begun.promise;
  const texts: string[] = [];
  const take = async () => texts.push(Buffer.from((await queue.next()) ?? []).toString());
  for (let at = 0; at < piecesAhead; at += 1) await take();
  queue.add(Buffer.from("behind it"));
  written.resolve();
  queue.close();
  let rest = "";
  for (let piece = await queue.next(); piece !== undefined; piece = await queue.next()) {
    rest += Buffer.from(piece).toString();
  }
  await queue.dispose();
  expect([...new Set(texts), rest]).toEqual([names[0] as string, `${names[1]}${names[2]}`]);
});
