import { describe, expect, test } from "bun:test";
import { AnswerReader } from "../../../src/lib/outgoing/answer-reader.ts";

/** What the reader makes of a text that comes in pieces of some bytes, and then ends. */
function read(text: string, { size = text.length, bodyBytesMax = 1_000, method = "POST" } = {}) {
  const reader = new AnswerReader({ bodyBytesMax, method });
  for (let at = 0; at < text.length; at += size) {
    const answer = reader.take(Buffer.from(text.slice(at, at + size), "latin1"));
    if (answer !== undefined) return { ...answer, body: Buffer.from(answer.body).toString("latin1"), isEarly: true };
  }
  const answer = reader.finish();
  return { ...answer, body: Buffer.from(answer.body).toString("latin1"), isEarly: false };
}

const headOf = (...headers: readonly string[]) => ["HTTP/1.1 200 OK", ...headers, "", ""].join("\r\n");

describe.each([1, 2, 3, 7, 1_000])("in pieces of %i bytes, an answer ends", (size) => {
  test("after its length", () => {
    const answer = read(`${headOf("Content-Length: 5", "X-A: b: c")}helloworld`, { size });
    expect(answer).toMatchObject({ status: 200, body: "hello", isCut: false, isEarly: true });
    expect(answer.headers).toContainEqual(["X-A", "b: c"]);
  });

  test("after its last chunk", () => {
    const text = `${headOf("Transfer-Encoding: chunked")}3\r\nhel\r\n2;a=b\r\nlo\r\n0\r\n\r\n`;
    expect(read(text, { size })).toMatchObject({ body: "hello", isCut: false, isEarly: true });
  });

  test("with the connection", () => {
    expect(read(`${headOf()}hello`, { size })).toMatchObject({ body: "hello", isCut: false, isEarly: false });
  });

  test("with its head, where it has no body", () => {
    expect(read("HTTP/1.1 204 No Content\r\n\r\n", { size })).toMatchObject({ status: 204, body: "", isEarly: true });
    expect(read(headOf("Content-Length: 5"), { size, method: "HEAD" })).toMatchObject({ body: "", isEarly: true });
  });

  test("once as much was read as is wanted", () => {
    const options = { size, bodyBytesMax: 3 };
    for (const text of [
      `${headOf("Content-Length: 5")}hello`,
      `${headOf("Transfer-Encoding: chunked")}5\r\nhello\r\n`,
      `${headOf()}hello`,
    ]) {
      expect(read(text, options)).toMatchObject({ body: "hel", isCut: true });
    }
  });

  test("after what precedes it", () => {
    const text = `HTTP/1.1 100 Continue\r\n\r\n${headOf("Content-Length: 2")}ok`;
    expect(read(text, { size })).toMatchObject({ status: 200, body: "ok" });
  });
});

test.each([
  ["", "the connection ended before the answer"],
  ["HTTP/1.1 200 OK\r\n", "the connection ended before the answer"],
  [`${headOf("Content-Length: 5")}hell`, "the connection ended before the answer"],
  [`${headOf("Transfer-Encoding: chunked")}5\r\nhel`, "the connection ended before the answer"],
  ["SSH-2.0-OpenSSH_9.6\r\n\r\n", "the answer is no HTTP"],
  ["HTTP/2 200\r\n\r\n", "the answer is no HTTP"],
  [headOf("no colon"), "the answer has a header without a name"],
  [headOf("Content-Length: -1"), "the answer has no length"],
  [`${headOf("Transfer-Encoding: chunked")}-1\r\n`, "the answer has a chunk without a size"],
  [`${headOf("Transfer-Encoding: chunked")}${"f".repeat(5_000)}`, "the answer has a chunk without a size"],
  [headOf(...Array.from({ length: 5_000 }, (_, at) => `X-${at}: ${"v".repeat(20)}`)), "more than 65536 bytes"],
  [`HTTP/1.1 200 OK\r\nX: ${"v".repeat(200_000)}`, "more than 65536 bytes"],
])("an answer as %j is refused", (text, reason) => {
  expect(() => read(text, { size: 4_096 })).toThrow(reason);
});
