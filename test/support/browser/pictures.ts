const pixel = 1;

/** The least of a header that each kind of picture needs, for pictures of that size. */
const makers = {
  png: (width: number, height: number) =>
    bytes("\x89PNG\r\n\x1a\n", big32(13), "IHDR", big32(width), big32(height), "\x08\x02\0\0\0", big32(0)),
  jpeg: (width: number, height: number) =>
    bytes(
      "\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0",
      "\xff\xc4\0\x04ab",
      "\xff\xff\xc2\0\x11\x08",
      big16(height),
      big16(width),
      "\x03",
    ),
  gif: (width: number, height: number) => bytes("GIF89a", little16(width), little16(height), "\0\0\0"),
  bmp: (width: number, height: number) =>
    bytes("BM", "\0".repeat(12), little32(40), little32(width), little32(-height), "\x01\0\x18\0"),
  tiff: (width: number, height: number) =>
    bytes("II*\0", little32(8), little16(2), tag(256, width), tag(257, height), little32(0)),
  ico: (width: number, height: number) =>
    bytes("\0\0\x01\0\x01\0", String.fromCharCode(width, height), "\0".repeat(6), little32(4), little32(22), "abcd"),
} as const;

export type PictureKind = keyof typeof makers;
export const pictureKinds = Object.keys(makers) as readonly PictureKind[];

/** The bytes of a picture, as far as its size can be read. */
export function picture(kind: PictureKind, width = pixel, height = pixel): Uint8Array<ArrayBuffer> {
  return makers[kind](width, height);
}

export function pictureFile(kind: PictureKind, name: string): File {
  return new File([picture(kind)], name);
}

function bytes(...parts: readonly string[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.join(""), (character) => character.charCodeAt(0));
}

function big32(value: number): string {
  return String.fromCharCode((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
}

function big16(value: number): string {
  return big32(value).slice(2);
}

function little32(value: number): string {
  return [...big32(value)].toReversed().join("");
}

function little16(value: number): string {
  return little32(value).slice(0, 2);
}

function tag(id: number, value: number): string {
  return `${little16(id)}${little16(4)}${little32(1)}${little32(value)}`;
}
