/** The client of spam services. */

import type { Context } from "../../kernel/context.ts";

const answerMsMax = 5_000;
/** Services answer with a word or a small JSON text. */
const answerBytesMax = 64 * 1024;

/**
 * Posts a form to a service outside and resolves to the text of its answer. Rejects when the service cannot be reached,
 * does not answer with 2xx, sends the request elsewhere, takes more than five seconds or sends more than 64 KiB. Administrators
 * choose the service, so it may be in the local network.
 */
export async function postForm(
  { clock, callHttp }: Pick<Context, "clock" | "callHttp">,
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const overtime = new AbortController();
  const cancel = clock.after(answerMsMax, () => overtime.abort());
  try {
    const { status, body, isCut } = await callHttp({
      method: "POST",
      url,
      headers: { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8" },
      body: new URLSearchParams(fields).toString(),
      timeoutMs: answerMsMax,
      answerBytesMax,
      allowsLocal: true,
      signal: overtime.signal,
    });
    if (status < 200 || status > 299) throw new Error(`the answer is ${status}`);
    if (isCut) throw new Error(`the answer has more than ${answerBytesMax} bytes`);
    return Buffer.from(body).toString();
  } catch (error) {
    throw overtime.signal.aborted ? new Error("no answer in five seconds") : error;
  } finally {
    cancel();
  }
}
