type Bytes = Uint8Array<ArrayBuffer>;

/** The runtime closes the connection when a body ends with an error; it logs all but this one. */
const cut = undefined;

/** Statuses of answers that may have no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** An answer in place of which the client sees its connection closed, before the first byte. */
export function cutAnswer(answer: Response): Response {
  answer.body?.cancel().catch(() => {});
  const body = new ReadableStream({ pull: (controller) => controller.error(cut) });
  return new Response(body, { status: withoutBody.has(answer.status) ? 200 : answer.status });
}

/** The answer with the first bytes of its body, behind which the connection closes. A body that is not longer is left whole. */
export function truncatedAnswer(answer: Response, bytesMax: number): Response {
  return withBody(answer, (body) => firstBytes(body, bytesMax));
}

/** The answer with a body that comes no faster. */
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

/** Returns whether the body ended by itself. */
async function* firstBytes(body: ReadableStream<Bytes>, bytesMax: number): AsyncGenerator<Bytes, boolean> {
  let left = bytesMax;
  for await (const piece of body) {
    if (piece.length > left) {
      if (left > 0) yield piece.slice(0, left);
      // The bytes leave before the connection closes.
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
