import { ApiError, send } from "./client.ts";

const lengthMax = 20_000;

/** Returns status and body of the answer to a GET. An endless body is truncated after some seconds. */
export async function answerTextOf(address: string): Promise<string> {
  const request = new Request(new URL(address, location.origin).href, { signal: AbortSignal.timeout(10_000) });
  try {
    const response = await send(request);
    return `${response.status}\n\n${pretty(await response.text()).slice(0, lengthMax)}`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.status}\n\n${error.message}`;
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
