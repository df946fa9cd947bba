import type { Failure } from "../../domain/failure.ts";
import { refuseParameters } from "./refusals.ts";

/** Limits on the parameters of one request, in every format (rest-conventions 2.2). */
export const nestingMax = 32;
export const arrayItemsMax = 50_000;
export const hashKeysMax = 50_000;
export const elementsMax = 100_000;
/** Parts of a multipart body: each costs the runtime more than a pair of a form. */
export const partsMax = 10_000;
/** Bytes of the headers of a part. */
export const partHeaderBytesMax = 16 * 1024;
export const partHeadersMax = 32;
/** Characters of the name of a file in a multipart body. */
export const filenameLengthMax = 1024;
/** Characters of a key in a query or a form, brackets and all. */
export const keyLengthMax = 1024;
/** Values of a list, and entries of a hash with keys of the caller's choice, whose declaration says no other maximum. */
export const itemsMax = 1000;
/** Characters of such a key. */
export const mapKeyCharactersMax = 255;
/** Characters of a text whose declaration says no other maximum. */
export const textCharactersMax = 1_048_576;

export const nestedTooDeeply = (): Failure => refuseParameters("Parameters nested too deeply");
export const arrayTooLarge = (): Failure => refuseParameters("Array parameter too large");
export const hashTooLarge = (): Failure => refuseParameters("Hash parameter too large");
export const tooManyElements = (): Failure => refuseParameters("Too many total parameters");
export const jsonTooLarge = (): Failure => refuseParameters("JSON body too large");
export const partHeadersTooLarge = (): Failure => refuseParameters("Headers of a part of the multipart body too large");
export const filenameTooLong = (): Failure => refuseParameters("File name too long");
export const keyTooLong = (): Failure => refuseParameters("Parameter name too long");
