import type { Failure } from "../../domain/failure.ts";
import { refuseParameters } from "./refusals.ts";

/** Limits on the parameters of one request, in every format (rest-conventions 2.2). */
export const nestingMax = 32;
export const arrayItemsMax = 50_000;
export const hashKeysMax = 50_000;
export const elementsMax = 100_000;
/** The most parts of a multipart body. A part costs the runtime more than a pair of a form. */
export const partsMax = 10_000;
/** The most bytes of the headers of a part. */
export const partHeaderBytesMax = 16 * 1024;
export const partHeadersMax = 32;
/** The most characters of a file name in a multipart body. */
export const filenameLengthMax = 1024;
/** The most characters of a key in a query or a form, including brackets. */
export const keyLengthMax = 1024;
/** The default maximum of list values, and of entries of a hash with any keys. */
export const itemsMax = 1000;
/** The most characters of a key in a hash with any keys. */
export const mapKeyCharactersMax = 255;
/** The default maximum length of texts, in characters. */
export const textCharactersMax = 1_048_576;

export const nestedTooDeeply = (): Failure => refuseParameters("Parameters nested too deeply");
export const arrayTooLarge = (): Failure => refuseParameters("Array parameter too large");
export const hashTooLarge = (): Failure => refuseParameters("Hash parameter too large");
export const tooManyElements = (): Failure => refuseParameters("Too many total parameters");
export const jsonTooLarge = (): Failure => refuseParameters("JSON body too large");
export const partHeadersTooLarge = (): Failure => refuseParameters("Headers of a part of the multipart body too large");
export const filenameTooLong = (): Failure => refuseParameters("File name too long");
export const keyTooLong = (): Failure => refuseParameters("Parameter name too long");
