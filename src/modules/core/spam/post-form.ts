/** The client of spam services. */

import type { Context } from "../../kernel/context.ts";

const answerMsMax = 5_000;
/** Services answer with a word or a small JSON text. */
const answerBytesMax = 64 * 1024;

/**
 * Posts a form to a service outside and resolves to the text of its answer. Rejects when the service cannot be reached,
 * does not answer with 2xx, sends the request elsewhere, takes more than five seconds or sends more than 64 KiB.
 */
export async function postForm(
  { clock, callOutside }: Pick<Context, "clock" | "callOutside">,
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const overtime = new AbortController();
  const cancel = clock.after(answerMsMax, () => overtime.abort(new Error("no answer in five seconds")));
  try {
    const body = new URLSearchParams(fields);
    const answer = await callOutside(url, { body, redirect: "error", signal: overtime.signal });
    if (!answer.ok) throw new Error(`the answer is ${answer.status}`);
    return await textOf(answer);
  } finally {
    cancel();
  }
}

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > answerBytesMax) throw new Error(`the answer has more than ${answerBytesMax} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
