/** Bytes of the pieces that the postings know. */
export const pieceLength = 3;
/** There are 2^24 pieces: in classes they cannot take more memory than this many postings, whatever the texts are. */
const classBits = 18;
/** Ends each text. */
const separator = 0xff;

/** Three neighbouring bytes as a number of 24 bits, from every place; none across a separator. */
export function piecesOf(bytes: Buffer): number[] {
  const pieces: number[] = [];
  forEachPiece(bytes, (piece) => pieces.push(piece));
  return pieces;
}

/** Pieces of one class share their postings. Knuth's multiplicative hash. */
export function classOf(piece: number): number {
  return Math.imul(piece, 0x9e3779b1) >>> (32 - classBits);
}

/** A bit for each class, all of them down between two calls: a fifth of the time of a `Set`. */
const seen = new Uint32Array(2 ** (classBits - 5));

/** The classes of all pieces of the texts, each once. */
export function classesOf(texts: readonly Buffer[]): number[] {
  const classes: number[] = [];
  for (const text of texts) {
    forEachPiece(text, (piece) => {
      const key = classOf(piece);
      const word = seen[key >>> 5] as number;
      const bit = 1 << (key & 31);
      if ((word & bit) !== 0) return;
      seen[key >>> 5] = word | bit;
      classes.push(key);
    });
  }
  for (const key of classes) seen[key >>> 5] = 0;
  return classes;
}

function forEachPiece(bytes: Buffer, take: (piece: number) => void): void {
  let piece = 0;
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    length = byte === separator ? 0 : length + 1;
    piece = ((piece << 8) | byte) & 0xffffff;
    if (length >= pieceLength) take(piece);
  }
}
