/** The client of spam services. */

import type { Context } from "../../kernel/context.ts";

const answerMsMax = 5_000;

/**
 * Posts a form to a service outside and resolves to the text of its answer. Rejects when the service cannot be reached,
 * does not answer with 2xx, sends the request elsewhere, or takes more than five seconds.
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
    return await answer.text();
  } finally {
    cancel();
  }
}
