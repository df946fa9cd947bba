import { expect, test } from "bun:test";
import fc from "fast-check";
import { detectImage, imageTypes } from "../../../src/lib/image.ts";
import { picture, pictureKinds } from "../../support/browser/pictures.ts";

const text = (bytes: string) => Uint8Array.from(bytes, (character) => character.charCodeAt(0));

test("each kind is recognised by its bytes, anywhere in a buffer", () => {
  const found = pictureKinds.map((kind) => {
    const bytes = picture(kind, 3, 2);
    const within = new Uint8Array(bytes.length + 10);
    within.set(bytes, 7);
    return detectImage(within.subarray(7, 7 + bytes.length))?.contentType;
  });
  expect(found.toSorted()).toEqual(imageTypes.toSorted());
});

test("an image of no size is invalid", () => {
  for (const kind of pictureKinds.filter((each) => each !== "ico")) {
    for (const [width, height] of [
      [0, 1],
      [1, 0],
    ] as const) {
      expect([kind, detectImage(picture(kind, width, height))]).toEqual([kind, undefined]);
    }
  }
});

test.each([
  ["an old bitmap", "BM\0\0\0\0\0\0\0\0\0\0\0\0\x0c\0\0\0\x02\0\x03\0", true],
  ["a bitmap of an unknown header", "BM\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0\x02\0\x03\0\0\0\0\0", false],
  [
    "a TIFF of the other byte order",
    "MM\0*\0\0\0\x08\0\x02\x01\0\0\x03\0\0\0\x01\0\x05\0\0\x01\x01\0\x03\0\0\0\x01\0\x06\0\0",
    true,
  ],
  ["a TIFF without sizes", "II*\0\x08\0\0\0\0\0", false],
  ["a TIFF whose directory lies outside", "II*\0\xff\xff\xff\xff", false],
  ["an icon without pictures", "\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", false],
  ["an icon whose picture lies outside", "\0\0\x01\0\x01\0\x10\x10\0\0\0\0\0\0\xff\0\0\0\x16\0\0\0", false],
  ["a JPEG that has no frame", "\xff\xd8\xff\xe0\0\x04ab\xff\xd9\0\x02", false],
  ["a JPEG that ends before its frame", "\xff\xd8\xff\xe0\0\x10JFIF", false],
  ["a JPEG of endless fill", `\xff\xd8${"\xff".repeat(100_000)}`, false],
  ["a PNG whose first chunk is another", "\x89PNG\r\n\x1a\n\0\0\0\rIDAT\0\0\0\x01\0\0\0\x01", false],
  ["a WebP", "RIFF\x24\0\0\0WEBPVP8 ", false],
])("%s: %p %p", (_, bytes, isPicture) => {
  expect(detectImage(text(bytes)) !== undefined).toBe(isPicture);
});

test("no bytes cause an error, and a truncated header is no image", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void detectImage(bytes)));
  const start = fc.constantFrom(...pictureKinds.map((kind) => picture(kind, 300, 200)));
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 100 }), fc.nat({ max: 40 }), (bytes, tail, kept) => {
      detectImage(Uint8Array.from([...bytes.slice(0, kept), ...tail]));
    }),
    { numRuns: 2_000 },
  );
  for (const kind of pictureKinds) {
    for (let kept = 0; kept < 10; kept += 1) expect(detectImage(picture(kind).slice(0, kept))).toBeUndefined();
  }
});
