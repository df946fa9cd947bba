type Bytes = Uint8Array<ArrayBuffer>;

/** The error with which a body ends early. The runtime closes the connection and, for this value, logs nothing. */
const cut = undefined;

/** The statuses of answers without a body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** Returns an answer that closes the connection before the first byte. */
export function cutAnswer(answer: Response): Response {
  answer.body?.cancel().catch(() => {});
  const body = new ReadableStream({ pull: (controller) => controller.error(cut) });
  return new Response(body, { status: withoutBody.has(answer.status) ? 200 : answer.status });
}

/**
 * Returns the answer with only the first bytes of its body, after which the connection closes. A shorter body stays
 * complete.
 */
export function truncatedAnswer(answer: Response, bytesMax: number): Response {
  return withBody(answer, (body) => firstBytes(body, bytesMax));
}

/** Returns the answer with a slower body. */
export function slowAnswer(answer: Response, bytesPerSecond: number): Response {
  return withBody(answer, (body) => slowly(body, bytesPerSecond));
}

function withBody(answer: Response, change: (body: ReadableStream<Bytes>) => AsyncGenerator<Bytes, boolean>): Response {
  const { body } = answer;
  if (body === null) return answer;
  const pieces = change(body);
  const changed = new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const { value, done } = await pieces.next();
        if (done !== true) controller.enqueue(value);
        else if (value) controller.close();
        else controller.error(cut);
      },
      async cancel() {
        await pieces.return(false);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(changed, answer);
}

/** Yields the first bytes. Returns true when the body ended before the limit. */
async function* firstBytes(body: ReadableStream<Bytes>, bytesMax: number): AsyncGenerator<Bytes, boolean> {
  let left = bytesMax;
  for await (const piece of body) {
    if (piece.length > left) {
      if (left > 0) yield piece.slice(0, left);
      // Gives the bytes time to leave before the connection closes.
      await Bun.sleep(1);
      return false;
    }
    left -= piece.length;
    yield piece;
  }
  return true;
}

const piecesPerSecond = 10;

async function* slowly(body: ReadableStream<Bytes>, bytesPerSecond: number): AsyncGenerator<Bytes, boolean> {
  const step = Math.ceil(bytesPerSecond / piecesPerSecond);
  for await (const piece of body) {
    for (let at = 0; at < piece.length; at += step) {
      const part = piece.slice(at, at + step);
      await Bun.sleep((part.length / bytesPerSecond) * 1000);
      yield part;
    }
  }
  return true;
}
