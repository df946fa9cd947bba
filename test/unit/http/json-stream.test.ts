import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { LargeJson, listJson, pieceBytes, valueJson, wholeBytesMax } from "../../../src/http/responses/json-stream.ts";
import { streamPieces } from "../../../src/http/responses/large-body.ts";
import { JsonText } from "../../../src/lib/text/json-text.ts";
import { StoredJson } from "../../../src/lib/text/stored-json.ts";
import { FakeClock } from "../../support/fixtures/fake-clock.ts";

const mebibyte = 1 << 20;
const never = (error: unknown) => {
  throw error;
};

const clock = new FakeClock();

function streamJson(json: LargeJson, onFailure: (error: unknown) => void, onEnd = () => {}) {
  return streamPieces(json.pieces(), clock, { onEnd, onFailure });
}

async function sent(value: unknown): Promise<string> {
  return new Response(streamJson(new LargeJson(value), never)).text();
}

/** A list that knows how many of its rows were read. */
function countedRows(count: number, textLength = mebibyte) {
  const read = new Set<number>();
  const rows = Array.from({ length: count }, (_, id) => ({ id, text: "x".repeat(textLength) }));
  for (const [at, row] of rows.entries()) {
    Object.defineProperty(rows, at, {
      get() {
        read.add(at);
        return row;
      },
    });
  }
  return { rows, made: () => read.size };
}

describe("JSON in pieces equals the output of JSON.stringify", () => {
  test("for any value", async () => {
    const element = fc.option(fc.jsonValue(), { nil: undefined });
    const value = fc.oneof(
      fc.jsonValue(),
      fc.array(element),
      fc.dictionary(fc.string(), fc.oneof(element, fc.array(element))),
    );
    await fc.assert(
      fc.asyncProperty(value, async (any) => {
        expect(await sent(any)).toBe(JSON.stringify(any));
      }),
    );
  });

  test.each([
    ["an empty list", []],
    ["an empty object", {}],
    ["an object of nothing", { a: undefined }],
    ["lists in an object", { a: [], b: [undefined, 1], c: undefined, d: "ä" }],
    ["what says itself how it is written", { toJSON: () => ({ a: 1 }) }],
  ])("for %s", async (_, value) => {
    expect(await sent(value)).toBe(JSON.stringify(value));
  });

  test("for texts that are cut between the halves of a character", async () => {
    for (const start of ["", "a", "ab", "abc"]) {
      const value = [`${start}${"😀".repeat(300_000)}`];
      expect((await sent(value)) === JSON.stringify(value)).toBe(true);
    }
  });

  test("for rows that are JSON already", async () => {
    const rows = [{ a: 1 }, { b: "ö" }, [3]];
    expect(await sent(rows.map(JsonText.of))).toBe(JSON.stringify(rows));
  });
});

describe("JSON that the store has as text", () => {
  /** Says how often it was parsed. */
  class WatchedJson extends StoredJson {
    parsed = 0;

    override toJSON(): unknown {
      this.parsed += 1;
      return super.toJSON();
    }
  }

  test("is a value like others", async () => {
    const members = (value: unknown) => ({ id: 1, value, list: [value, undefined] });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (any) => {
        const text = JSON.stringify(any);
        const expected = JSON.stringify([members(JSON.parse(text))]);
        const stored = [members(new StoredJson(text))];
        const list = listJson(stored);
        expect(list instanceof JsonText && Buffer.from(list.bytes).toString()).toBe(expected);
        expect(JSON.stringify(valueJson(stored))).toBe(JSON.stringify(expected));
        expect(await sent(stored)).toBe(expected);
      }),
    );
  });

  test("counts with its length, and is copied unread into a large answer", async () => {
    const value = { a: Array(500_000).fill("ü") };
    const stored = Array.from({ length: 3 }, () => new WatchedJson(JSON.stringify(value)));
    const list = listJson(stored.map((each) => ({ each })));
    if (!(list instanceof LargeJson)) throw new Error("put together");
    const text = await new Response(streamJson(list, never)).text();
    expect(stored.map(({ parsed }) => parsed)).toEqual([0, 0, 0]);
    expect(text === JSON.stringify(Array(3).fill({ each: value }))).toBe(true);
  });
});

describe("a list", () => {
  test("of four mebibytes is built at once, and a larger one is not", () => {
    const row = { id: 1, text: "x".repeat(mebibyte / 2 - 40) };
    const few = listJson([row, row, row]);
    expect(few instanceof JsonText && Buffer.from(few.bytes).toString()).toBe(JSON.stringify([row, row, row]));
    expect(listJson(Array(8).fill(row))).toBeInstanceOf(JsonText);
    expect(listJson(Array(9).fill(row))).toBeInstanceOf(LargeJson);
    expect(listJson([])).toEqual(new JsonText(Buffer.from("[]")));
  });

  test("equals the output of JSON.stringify, with any number of entries", () => {
    const entry = fc.option(fc.jsonValue(), { nil: undefined });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const list = listJson(entries);
        expect(list instanceof JsonText && Buffer.from(list.bytes).toString()).toBe(JSON.stringify(entries));
      }),
    );
  });

  test("is measured in bytes", () => {
    expect(listJson(["ä".repeat(wholeBytesMax / 2 - 10)])).toBeInstanceOf(JsonText);
    expect(listJson(["ä".repeat(wholeBytesMax / 2)])).toBeInstanceOf(LargeJson);
  });

  test("of rows that are JSON already is built at once up to the same size", () => {
    const row = JsonText.of("x".repeat(mebibyte));
    expect(listJson([row, row, row])).toBeInstanceOf(JsonText);
    expect(listJson([row, row, row, row])).toBeInstanceOf(LargeJson);
  });

  test("is not turned into text beyond the proof that it is too large", () => {
    const { rows, made } = countedRows(100);
    expect(listJson(rows)).toBeInstanceOf(LargeJson);
    expect(made()).toBe(4);
  });
});

test("a value of four mebibytes is built at once, and a larger one is not", () => {
  expect(valueJson({ a: 1 })).toBe('{"a":1}');
  expect(valueJson("x".repeat(wholeBytesMax - 2))).toBeString();
  expect(valueJson("x".repeat(wholeBytesMax - 1))).toBeInstanceOf(LargeJson);
});

describe("a piece is made", () => {
  test("when the one before was taken, and not earlier", async () => {
    const { rows, made } = countedRows(50);
    const reader = streamJson(new LargeJson(rows), never).getReader();
    expect(made()).toBe(0);
    for (const taken of [1, 2, 3]) {
      await reader.read();
      await new Promise(setImmediate);
      expect(made()).toBeLessThanOrEqual(taken);
    }
    await reader.cancel();
    await new Promise(setImmediate);
    expect(made()).toBeLessThanOrEqual(3);
  });

  test("after a pause for other requests", async () => {
    const { rows } = countedRows(5);
    const reader = streamJson(new LargeJson(rows), never).getReader();
    let turns = 0;
    let pieces = 0;
    const others = () => {
      turns += 1;
      if (turns < 1_000) setImmediate(others);
    };
    setImmediate(others);
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      pieces += 1;
      expect(turns).toBeGreaterThanOrEqual(pieces);
    }
    expect(pieces).toBeGreaterThan(5);
    turns = 1_000;
  });

  test("of many small rows together", async () => {
    const { rows } = countedRows(10_000, 100);
    const pieces = await Array.fromAsync(streamJson(new LargeJson(rows), never));
    expect(pieces.length).toBeLessThan(10);
    expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(rows));
  });
});

describe("a client that takes a body of many pieces", () => {
  const begin = () => {
    let ends = 0;
    const reader = streamJson(new LargeJson(countedRows(100).rows), never, () => {
      ends += 1;
    }).getReader();
    return { reader, ends: () => ends };
  };

  test("not at all is cut off after half a minute", async () => {
    const { reader, ends } = begin();
    clock.advance(29_999);
    expect(ends()).toBe(0);
    clock.advance(1);
    expect(ends()).toBe(1);
    await expect(reader.read()).rejects.toThrow("too slowly");
    expect(clock.timers).toBe(0);
  });

  test("and stops is cut off after a minute, however much it took", async () => {
    const { reader, ends } = begin();
    for (let count = 0; count < 10; count += 1) await reader.read();
    clock.advance(59_999);
    expect(ends()).toBe(0);
    clock.advance(1_001);
    expect(ends()).toBe(1);
    await expect(reader.read()).rejects.toThrow("too slowly");
    expect(clock.timers).toBe(0);
  });

  test("slower than 16 KiB a second is cut off", async () => {
    const { reader, ends } = begin();
    for (let count = 0; count < 8; count += 1) {
      if (ends() === 0) await reader.read();
      clock.advance(70_000);
    }
    expect(ends()).toBe(1);
    await expect(reader.read()).rejects.toThrow("too slowly");
  });

  test("at 16 KiB a second gets all of it", async () => {
    const { reader, ends } = begin();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clock.advance((read.value.length / 16_384) * 1_000);
    }
    expect(ends()).toBe(1);
    expect(clock.timers).toBe(0);
  });
});

describe("a few entries whose JSON is longer than any text can be", () => {
  const label = { name: "a", description: "\u0001".repeat(65_000) };
  const entry = { id: 1, labels: Array<typeof label>(3_000).fill(label) };
  const entries = [entry, entry, entry, entry];

  test("are not put together", () => {
    expect(listJson(entries)).toBeInstanceOf(LargeJson);
    expect(valueJson(entry)).toBeInstanceOf(LargeJson);
  });

  test("leave in pieces of some hundred kilobytes", async () => {
    const reader = streamJson(new LargeJson(entries), never).getReader();
    for (let count = 0; count < 20; count += 1) {
      const { value } = await reader.read();
      expect(value?.length).toBeWithin(pieceBytes, 4 * pieceBytes);
    }
    await reader.cancel();
  });

  test("leave as JSON.stringify writes them", async () => {
    const few = [{ ...entry, labels: entry.labels.slice(0, 20), nothing: undefined }, undefined, null];
    expect((await sent(few)) === JSON.stringify(few)).toBe(true);
  });
});

test("what cannot be written breaks the stream off, and is told", async () => {
  const told: unknown[] = [];
  const failure = new Error("gone");
  const bad = {
    get a(): string {
      throw failure;
    },
  };
  let ends = 0;
  const countEnd = () => {
    ends += 1;
  };
  const large = new LargeJson(["x".repeat(mebibyte), bad, "y"]);
  const stream = streamJson(large, (error) => told.push(error), countEnd);
  await expect(Array.fromAsync(stream)).rejects.toThrow("gone");
  expect(told).toEqual([failure]);
  expect(ends).toBe(1);
});

test("the end is told once, whether the body is read to its end or given up", async () => {
  for (const isGivenUp of [false, true]) {
    let ends = 0;
    const countEnd = () => {
      ends += 1;
    };
    const reader = streamJson(new LargeJson(countedRows(3).rows), never, countEnd).getReader();
    await reader.read();
    expect(ends).toBe(0);
    if (isGivenUp) await reader.cancel();
    else while (!(await reader.read()).done);
    expect(ends).toBe(1);
  }
});

test("a large value weighs as much as its texts, up to a limit, and a hundred bytes for each of its members", () => {
  const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 1]));
  expect(new LargeJson(keys).weight(1_000)).toBe(2 * 2 + 100 * 10_001);
  expect(new LargeJson(["x".repeat(5_000)]).weight(1_000)).toBe(1_000 + 100 * 2);
  expect(new LargeJson([new StoredJson(JSON.stringify(keys))]).weight(10_000)).toBe(10_000 + 100 * 2);
});
