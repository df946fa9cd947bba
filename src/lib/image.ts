/** An image format, recognised only by the bytes, not by a name or a declared type. */
export interface ImageFormat {
  /** A media type that browsers only show as an image. */
  readonly contentType: string;
  /** The usual file name extensions, the best one first. */
  readonly extensions: readonly string[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of the image; undefined for bytes of another format. Throws `RangeError` where they end early. */
type ReadSize = (view: DataView) => Size | undefined;

const formats: readonly (ImageFormat & { readonly readSize: ReadSize })[] = [
  { contentType: "image/png", extensions: ["png"], readSize: sizeOfPng },
  { contentType: "image/jpeg", extensions: ["jpg", "jpeg", "jpe"], readSize: sizeOfJpeg },
  { contentType: "image/gif", extensions: ["gif"], readSize: sizeOfGif },
  { contentType: "image/bmp", extensions: ["bmp"], readSize: sizeOfBmp },
  { contentType: "image/tiff", extensions: ["tiff", "tif"], readSize: sizeOfTiff },
  { contentType: "image/vnd.microsoft.icon", extensions: ["ico"], readSize: sizeOfIcon },
];

/**
 * Returns the format of a PNG, JPEG, GIF, BMP, TIFF or ICO image that is not empty; undefined for anything else, including
 * truncated headers.
 */
export function detectImage(bytes: Uint8Array): ImageFormat | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return formats.find(({ readSize }) => {
    const size = sizeWith(readSize, view);
    return size !== undefined && size.width > 0 && size.height > 0;
  });
}

/** Every media type that `detectImage` knows. */
export const imageTypes: readonly string[] = formats.map(({ contentType }) => contentType);

/** True when a file name has the extension of a known image format. */
export function hasImageExtension(name: string): boolean {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return name.includes(".") && formats.some(({ extensions }) => extensions.includes(extension));
}

function sizeWith(readSize: ReadSize, view: DataView): Size | undefined {
  try {
    return readSize(view);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function startsWith(view: DataView, start: string): boolean {
  return [...start].every((character, at) => view.getUint8(at) === character.charCodeAt(0));
}

function sizeOfPng(view: DataView): Size | undefined {
  if (!startsWith(view, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR")) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function sizeOfGif(view: DataView): Size | undefined {
  if (!startsWith(view, "GIF87a") && !startsWith(view, "GIF89a")) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Returns the size in the first frame header, which follows any number of other segments. */
function sizeOfJpeg(view: DataView): Size | undefined {
  if (!startsWith(view, "\xff\xd8\xff")) return undefined;
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrameHeader(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    const hasNoLength = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    at += 2 + (hasNoLength ? 0 : view.getUint16(at + 2));
  }
  return undefined;
}

/** True for the markers C0 to CF, except those of tables. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Returns the size in the header. A negative height means that the rows are stored top to bottom. */
function sizeOfBmp(view: DataView): Size | undefined {
  if (!startsWith(view, "BM")) return undefined;
  const headerBytes = view.getUint32(14, true);
  if (headerBytes === 12) return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  if (headerBytes < 40 || headerBytes > 124) return undefined;
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}

function sizeOfTiff(view: DataView): Size | undefined {
  const isLittle = startsWith(view, "II*\0");
  if (!isLittle && !startsWith(view, "MM\0*")) return undefined;
  const directory = view.getUint32(4, isLittle);
  const sizes = { width: 0, height: 0 };
  for (let entry = 0; entry < view.getUint16(directory, isLittle); entry += 1) {
    const at = directory + 2 + 12 * entry;
    const tag = view.getUint16(at, isLittle);
    if (tag !== 256 && tag !== 257) continue;
    const isShort = view.getUint16(at + 2, isLittle) === 3;
    const value = isShort ? view.getUint16(at + 8, isLittle) : view.getUint32(at + 8, isLittle);
    sizes[tag === 256 ? "width" : "height"] = value;
  }
  return sizes;
}

/** Returns the size of the first image, which must lie within the file. A side of 0 means 256. */
function sizeOfIcon(view: DataView): Size | undefined {
  if (!startsWith(view, "\0\0\x01\0") || view.getUint16(4, true) === 0) return undefined;
  const [bytes, offset] = [view.getUint32(14, true), view.getUint32(18, true)];
  if (bytes === 0 || offset < 22 || offset + bytes > view.byteLength) return undefined;
  return { width: view.getUint8(6) || 256, height: view.getUint8(7) || 256 };
}
