import { Type } from "@sinclair/typebox";
import { file, operation } from "../../kernel/operation.ts";
import { archiveNameAt, backUp } from "./service.ts";

/** About as many bytes as the archive has once it is decompressed. */
export const uncompressedSizeHeader = "X-Uncompressed-Size";

export const backupOperations = [
  operation({
    method: "POST",
    path: "/-/backup",
    root: true,
    summary: "Create and download a backup",
    who: "administrator",
    params: Type.Object({}),
    answer: file({ maxAgeS: 0 }),
    failures: ["unavailable", "conflict"],
    async handle({ context, caller }) {
      const stopping = new AbortController();
      let total: number | undefined;
      const pieces = backUp(context, stopping.signal, (progress) => {
        total = progress.total;
      });
      // An error before the first bytes becomes the status.
      const first = await pieces.next();
      const { id, username } = caller.user;
      context.log.info({ user_id: id, username }, "a backup is being sent");
      return {
        contentType: "application/gzip",
        content: streamOf(first, pieces, stopping),
        headers: {
          "Content-Disposition": `attachment; filename="${archiveNameAt(context.clock.now())}"`,
          ...(total === undefined ? {} : { [uncompressedSizeHeader]: String(total) }),
        },
      };
    },
  }),
];

/** Reads from the backup as fast as the client takes it. A client that stops reading ends it. */
function streamOf(
  first: IteratorResult<Uint8Array<ArrayBuffer>>,
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  stopping: AbortController,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let next: IteratorResult<Uint8Array<ArrayBuffer>> | undefined = first;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = next ?? (await pieces.next());
      next = undefined;
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      stopping.abort(new Error("the client of the archive is gone"));
      await pieces.return(undefined);
    },
  });
}
