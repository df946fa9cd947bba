import { expect, test } from "bun:test";
import { once } from "node:events";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { writeOn } from "../../../src/lib/drain.ts";

/** An entry of a tar archive, and a gzip stream: what an archive writes to. */
const streams = {
  "an entry": () =>
    pack()
      .on("error", () => {})
      .entry({ name: "a", size: 10 }),
  "a gzip stream": () => createGzip(),
};

for (const [name, make] of Object.entries(streams)) {
  test(`writing to ${name} that is closed already ends at once`, async () => {
    const stream = make();
    stream.on("error", () => {});
    const closed = once(stream, "close");
    stream.destroy();
    await closed;
    expect(await writeOn(stream, new Uint8Array(5))).toBeUndefined();
  });
}
